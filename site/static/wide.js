// What is wider than the page is scrolled sideways, and every such part is built as a stop of the
// Tab key. The key passes those that are seen as a whole, for as long as they are.
{
  const parts = [...document.querySelectorAll('[role="group"][tabindex="0"]')];
  const mark = () => {
    const wide = parts.map((part) => part.scrollWidth > part.clientWidth);
    parts.forEach((part, i) => {
      if (wide[i]) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
    });
  };
  const sizes = new ResizeObserver(mark); // before the frame is painted in which one has changed
  for (const part of parts) sizes.observe(part);
  addEventListener("formulas-set", mark);
  document.fonts.addEventListener("loadingdone", mark);
}
