// Sets the formulas of a page. One that cannot be set stays as LaTeX, and the console says why.
for (const place of document.querySelectorAll(".formula")) {
  const displayMode = place.classList.contains("display");
  try {
    katex.render(place.textContent, place, { displayMode, strict: "ignore", output: "htmlAndMathml" });
  } catch (problem) {
    console.error(problem.message);
  }
}
