// Draws a scene as SVG and turns what the hand does into values of the controls.
// Nothing here knows any mathematics of the course: positions come from Python in panel units,
// (0, 0) the lower left corner of a panel and (1, 1) the upper right one.
//
// widget.py joins these files in this order; none of them imports another:
//   basics    elements, ids, units
//   slots     the scene as data, and the table of all scenes that was sent ahead
//   shapes    how each kind of shape is drawn
//   motion    what lies between two drawings of the same shape
//   panels    axes, marks and legend of one panel
//   handles   what can be grabbed in a panel: points; the nearest is taken
//   hands     lines, arrows, ellipses, thresholds, curves: where they are held and what a drag does
//   held      marks that are held where they are drawn
//   controls  sliders, buttons, choices below the picture
//   view      everything together, and the moves

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
