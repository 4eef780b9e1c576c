// Draws a scene as SVG and turns what the hand does into values of the controls.
// Nothing here knows any mathematics of the course: positions come from Python in panel units,
// (0, 0) the lower left corner of a panel and (1, 1) the upper right one.
// widget.py joins these files; none of them imports another, each says at its top what it holds.

const QUIET = { "data-lm-suppress-shortcuts": "true" }; // keeps JupyterLab's keys away
const SVG = "http://www.w3.org/2000/svg";

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

function made(element, attributes, children) {
  set(element, attributes);
  element.append(...children);
  return element;
}

const html = (tag, attributes = {}, ...children) =>
  made(document.createElement(tag), attributes, children);

const svg = (tag, attributes = {}, ...children) =>
  made(document.createElementNS(SVG, tag), attributes, children);

/** An id that nothing else in the page has; every widget loads a copy of this file of its own. */
const unique = () => `lm-${Math.random().toString(36).slice(2)}`;

const unit = (axis, value) => (value - axis.lo) / (axis.hi - axis.lo);
const data = (axis, share) => axis.lo + share * (axis.hi - axis.lo);
const short = (value) => String(Number(value.toPrecision(3))).replace("-", "−");
