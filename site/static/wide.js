// What is wider than the page is scrolled sideways; the keyboard must reach it for that.
{
  const parts = [...document.querySelectorAll("pre, .formula.display, .table-wrapper, .output.text_html")];
  const mark = () => {
    for (const part of parts) {
      if (part.scrollWidth > part.clientWidth + 1) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
    }
  };
  addEventListener("load", mark);
  addEventListener("formulas-set", mark);
  addEventListener("resize", mark);
}
