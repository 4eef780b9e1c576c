// Sets the formulas of a page: those in sight at once, the others in slices between which the page
// answers. One that cannot be set stays as LaTeX, and the console says why.
{
  const SLICE = 12; // milliseconds
  const inSight = ({ top, bottom }) => bottom > 0 && top < innerHeight;
  const places = [...document.querySelectorAll(".formula")];
  // A link to a heading must find it where it will stay.
  const first = places.filter((place) => location.hash || inSight(place.getBoundingClientRect()));
  const left = places.filter((place) => !first.includes(place));

  function set(place) {
    const displayMode = place.classList.contains("display");
    const options = { displayMode, strict: "ignore", output: "htmlAndMathml" };
    try {
      katex.render(place.textContent, place, options);
    } catch (problem) {
      console.error(problem.message);
    }
  }

  function some() {
    const until = performance.now() + SLICE;
    while (left.length && performance.now() < until) set(left.shift());
    if (left.length) setTimeout(some);
    else dispatchEvent(new Event("formulas-set"));
  }

  first.forEach(set);
  addEventListener("beforeprint", () => left.splice(0).forEach(set));
  setTimeout(some);
}
