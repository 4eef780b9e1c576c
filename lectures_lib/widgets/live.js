// Draws a scene as SVG and turns what the hand does into values of the controls.
// Nothing here knows any mathematics of the course: positions come from Python in panel units,
// (0, 0) the lower left corner of a panel and (1, 1) the upper right one.
// The parts: slots (the scene as data), shapes (how each kind is drawn), panels, controls, moves.

const SVG = "http://www.w3.org/2000/svg";
const PANEL_WIDTHS = [460, 460, 410, 310, 230]; // by panels in a row; picture.py has the same
const LEVELS = 32; // steps of the grey and diverging scales; marks.py has the same

function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** An id that nothing else in the page has; every widget loads a copy of this file of its own. */
const unique = () => `lm-${Math.random().toString(36).slice(2)}`;

// --- slots ---------------------------------------------------------------------------------------

const TYPES = { f: Float32Array, b: Uint8Array, h: Uint16Array };

/** The value of a packed slot: plain data, or the array that {a: [type, offset, length]} names. */
function unpack(value, bytes) {
  if (value === null || typeof value !== "object" || !value.a) return value;
  const [type, offset, length] = value.a;
  return new TYPES[type](bytes, offset, length);
}

/** Bytes of a DataView as a buffer of their own, so that arrays inside are aligned. */
function ownBytes(view) {
  if (!view) return new ArrayBuffer(0);
  return view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
}

/** All scenes of a widget, sent ahead. Row numbers run over the controls, the last one fastest. */
class Table {
  constructor(head, view) {
    const bytes = ownBytes(view);
    this.sizes = head.sizes;
    this.slots = head.slots;
    this.items = head.items.map((some) => some.map((item) => unpack(item, bytes)));
    this.rows = unpack(head.rows, bytes);
  }

  /** The slots for a position of each control; `undefined` where a slot does not exist. */
  row(positions) {
    const number = positions.reduce((sum, at, i) => sum * this.sizes[i] + at, 0);
    return this.slots.map((slot, j) => [slot, this.items[j][this.rows[number * this.slots.length + j]]]);
  }
}

// --- shapes: one function for each kind; _shapes.py has the same names ----------------------------
// Each is given an empty <g>, the arrays, the style, and a box with X and Y (panel units to pixels).

const colour = (name) => (name ? `var(--lm-${name})` : "none");
const place = (value) => Math.round(value * 100) / 100;

function stroke(style) {
  return {
    stroke: colour(style.stroke),
    "stroke-width": style.width ?? 1.4,
    "stroke-dasharray": (style.dash ?? []).join(" "),
  };
}

/** The path through x and y; NaN starts a new piece, `close` ends each piece where it began. */
function outline({ x, y }, box, close = "") {
  let path = "";
  let pen = "M";
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(x[i]) || Number.isNaN(y[i])) {
      if (pen === "L") path += close;
      pen = "M";
    } else {
      path += pen + place(box.X(x[i])) + " " + place(box.Y(y[i]));
      pen = "L";
    }
  }
  return pen === "L" ? path + close : path;
}

/** A marker's outline as relative steps from its middle, for half a width of `size` pixels. */
const markerSteps = new Map();
function marker(name, size) {
  const key = `${name} ${size}`;
  if (!markerSteps.has(key)) {
    const steps = View.markers[name].replaceAll(/([mla])([^mlaz]*)/g, (_, command, numbers) => {
      const flag = (i) => command === "a" && i > 1 && i < 5; // of an arc: not a length
      return command + numbers.split(" ").map((n, i) => (flag(i) ? n : place(n * size))).join(" ");
    });
    markerSteps.set(key, steps);
  }
  return markerSteps.get(key);
}

const DRAW = {
  points(group, { x, y, group: of }, style, box) {
    style.groups.forEach((look, k) => {
      const steps = marker(look.marker, style.size);
      let path = "";
      for (let i = 0; i < x.length; i++) {
        const seen = Math.abs(x[i] - 0.5) <= 0.51 && Math.abs(y[i] - 0.5) <= 0.51;
        if (of[i] === k && seen) path += `M${place(box.X(x[i]))} ${place(box.Y(y[i]))}${steps}`;
      }
      if (!path) return;
      const edge = { stroke: colour(look.stroke), "stroke-width": look.width };
      group.append(svg("path", { d: path, fill: colour(look.fill), ...edge }));
    });
  },

  path(group, arrays, style, box) {
    const look = { fill: "none", "stroke-linejoin": "round", ...stroke(style) };
    group.append(svg("path", { d: outline(arrays, box), ...look }));
  },

  area(group, arrays, style, box) {
    const d = outline(arrays, box, "Z");
    const fill = { fill: colour(style.fill), "fill-opacity": 0.16, "fill-rule": "evenodd" };
    group.append(svg("path", { d, ...fill, ...(style.stroke ? stroke(style) : {}) }));
    if (style.hatch) {
      const id = unique();
      const size = { id, width: 10, height: 10, patternUnits: "userSpaceOnUse" };
      const line = { d: "M-2 2L2 -2M0 10L10 0M8 12L12 8", stroke: colour(style.fill) };
      group.append(svg("pattern", size, svg("path", line)));
      group.append(svg("path", { d, fill: `url(#${id})`, "fill-rule": "evenodd" }));
    }
  },

  arrow(group, { x, y }, style, box) {
    for (let i = 0; i + 1 < x.length; i += 3) {
      const [x0, y0, x1, y1] = [box.X(x[i]), box.Y(y[i]), box.X(x[i + 1]), box.Y(y[i + 1])];
      const length = Math.hypot(x1 - x0, y1 - y0);
      if (length < 0.5) continue;
      const head = Math.min(11, 0.6 * length);
      const [u, v] = [(x1 - x0) / length, (y1 - y0) / length];
      const [bx, by] = [x1 - head * u, y1 - head * v];
      const half = 0.42 * head;
      const tip = [[x1, y1], [bx - half * v, by + half * u], [bx + half * v, by - half * u]];
      const shaft = `M${place(x0)} ${place(y0)}L${place(bx)} ${place(by)}`;
      group.append(svg("path", { d: shaft, fill: "none", ...stroke(style) }));
      const points = tip.map((corner) => corner.map(place)).join(" ");
      group.append(svg("polygon", { points, fill: colour(style.stroke) }));
    }
  },

  bars(group, { x, y, x1, y1 }, style, box) {
    let path = "";
    for (let i = 0; i < x.length; i++) {
      const [left, right] = [place(box.X(x[i])), place(box.X(x1[i]))];
      path += `M${left} ${place(box.Y(y[i]))}V${place(box.Y(y1[i]))}H${right}V${place(box.Y(y[i]))}Z`;
    }
    const look = { fill: colour(style.fill), "fill-opacity": 0.32, ...stroke(style) };
    group.append(svg("path", { d: path, ...look }));
  },

  raster(group, { values }, style, box) {
    // One path per level, cells of a row joined, so that the colours follow the theme.
    const edgesX = edges(style.x, style.columns, box.X);
    const edgesY = edges(style.y, style.rows, box.Y);
    const paths = new Map();
    for (let row = 0, i = 0; row < style.rows; row++) {
      for (let column = 0; column < style.columns; ) {
        const level = values[i];
        const from = column;
        while (column < style.columns && values[i] === level) [column, i] = [column + 1, i + 1];
        const cell = `M${edgesX[from]} ${edgesY[row]}H${edgesX[column]}V${edgesY[row + 1]}H${edgesX[from]}Z`;
        paths.set(level, (paths.get(level) ?? "") + cell);
      }
    }
    for (const [level, d] of paths) {
      const fill = `fill: ${scaleColour(style.scale, level)}`;
      group.append(svg("path", { d, style: fill, "shape-rendering": "crispEdges" }));
    }
  },

  image(group, { values }, style, box) {
    const canvas = html("canvas", { width: style.columns, height: style.rows });
    const pixels = new ImageData(style.columns, style.rows);
    for (let i = 0, j = 0; i < values.length; i += 3, j += 4) {
      pixels.data.set([values[i], values[i + 1], values[i + 2], 255], j);
    }
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    const [x0, x1, y0, y1] = [...style.x.map(box.X), ...style.y.map(box.Y)];
    const flip = `translate(${x0} ${y0}) scale(${Math.sign(x1 - x0)} ${Math.sign(y1 - y0)})`;
    const size = { width: Math.abs(x1 - x0), height: Math.abs(y1 - y0), transform: flip };
    const look = { preserveAspectRatio: "none", style: "image-rendering: pixelated" };
    group.append(svg("image", { href: canvas.toDataURL(), ...size, ...look }));
  },

  text(group, { x, y }, style, box) {
    style.words.forEach((word, i) => {
      const at = { x: place(box.X(x[i]) + style.shift[0]), y: place(box.Y(y[i]) - style.shift[1]) };
      group.append(words(word, at, style.size, style.colour, style.anchor));
    });
  },
};

/** Kinds that may reach over the frame; all others are cut off there. */
const UNCUT = new Set(["points", "text"]);

function words(text, { x, y, transform }, size, name, anchor) {
  const at = { x: place(x), y: place(y), ...(transform ? { transform } : {}) };
  const halo = { stroke: colour("paper"), "stroke-width": 3, "paint-order": "stroke" };
  const font = { "font-size": size, "text-anchor": anchor, "dominant-baseline": "central" };
  return svg("text", { ...at, ...font, fill: colour(name), "stroke-linejoin": "round", ...halo }, text);
}

function edges([from, to], count, toPixels) {
  return Array.from({ length: count + 1 }, (_, i) => place(toPixels(from + ((to - from) * i) / count)));
}

function scaleColour(scale, level) {
  const mixed = (name, share) =>
    `color-mix(in srgb, ${colour(name)} ${place(100 * share)}%, ${colour("paper")})`;
  if (scale === "classes") return mixed(`class${level}`, 0.32);
  const share = level / LEVELS;
  if (scale === "grey") return mixed("ink", share);
  return mixed(share >= 0.5 ? "class1" : "class0", Math.abs(2 * share - 1));
}

// --- panels --------------------------------------------------------------------------------------

/** Where the frame of a panel lies, in pixels; picture.py has the same distances. */
function frameBox(header, width) {
  const left = header.frame ? 56 : 8;
  const top = header.title ? 30 : 10;
  const below = header.frame ? (header.x.label ? 46 : 26) : 8;
  const w = Math.max(40, width - left - 14);
  const h = w * header.aspect;
  return { left, top, w, h, width, height: top + h + below, X: (u) => u * w, Y: (v) => h - v * h };
}

class Panel {
  constructor(view, index) {
    this.view = view;
    this.index = index;
    this.root = html("div", { class: "lm-panel" });
    this.legend = html("div", { class: "lm-legend" });
    this.marks = [];
  }

  get header() {
    return this.view.slots.get(`p${this.index}`);
  }

  /** Draw everything, for a new header or a new width. */
  draw(width) {
    const { header } = this;
    const box = frameBox(header, width);
    this.box = box;
    const before = this.picture;
    this.picture = svg("svg", { width, height: box.height, "aria-hidden": "true" });
    this.picture.append(...this.axes(header, box));
    const middle = box.left + box.w / 2;
    if (header.title) this.picture.append(words(header.title, { x: middle, y: 16 }, 13, "ink", "middle"));
    this.marks = [];
    this.root.style.width = `${width}px`;
    if (before) before.replaceWith(this.picture); // what stands beside it keeps the focus
    else this.root.append(this.picture, this.legend);
    for (let j = 0; j < header.marks; j++) this.drawMark(j);
    this.drawLegend();
    this.handles = this.view.handlesOf(this);
    this.handles?.draw();
  }

  axes(header, box) {
    if (!header.frame) return [];
    const frame = { x: box.left, y: box.top, width: box.w, height: box.h, fill: "none" };
    const parts = [svg("rect", { ...frame, stroke: colour("muted") })];
    const bottom = box.top + box.h;
    const few = (ticks) => (box.w < 200 && ticks.length > 4 ? ticks.filter((_, i) => i % 2 === 0) : ticks);
    for (const [at, text] of few(header.x.ticks)) {
      const x = place(box.left + box.X(at));
      parts.push(svg("path", { d: `M${x} ${bottom}v4`, stroke: colour("muted") }));
      parts.push(words(text, { x, y: bottom + 13 }, 11, "muted", "middle"));
    }
    for (const [at, text] of few(header.y.ticks)) {
      const y = place(box.top + box.Y(at));
      parts.push(svg("path", { d: `M${box.left} ${y}h-4`, stroke: colour("muted") }));
      parts.push(words(text, { x: box.left - 7, y }, 11, "muted", "end"));
    }
    const middle = box.left + box.w / 2;
    parts.push(words(header.x.label, { x: middle, y: bottom + 32 }, 12, "ink", "middle"));
    const turned = { x: 0, y: 0, transform: `translate(10 ${place(box.top + box.h / 2)}) rotate(-90)` };
    parts.push(words(header.y.label, turned, 12, "ink", "middle"));
    return parts;
  }

  drawMark(j) {
    const name = `p${this.index}.m${j}`;
    const { slots } = this.view;
    const mark = slots.get(name);
    if (!mark || j >= this.header.marks) return;
    const { box } = this;
    const cut = UNCUT.has(mark.kind) ? "visible" : "hidden";
    const area = { x: box.left, y: box.top, width: box.w, height: box.h, overflow: cut };
    const group = svg("svg", { ...area, "data-mark": mark.kind });
    const arrays = mark.style.handle ? this.view.handleArrays(mark.style.handle, this.header) : {};
    if (!mark.style.handle) {
      for (const key of ["x", "y", "x1", "y1", "group", "values"]) arrays[key] = slots.get(`${name}/${key}`);
    }
    DRAW[mark.kind](group, arrays, mark.style, box);
    if (this.marks[j]) this.marks[j].replaceWith(group);
    else this.picture.append(group);
    this.marks[j] = group;
  }

  drawLegend() {
    this.legend.replaceChildren(...legend(this.view.slots.get(`p${this.index}.keys`)));
  }
}

/** What stands in a legend: a sample of each shape with its label. */
function legend(keys = []) {
  const box = { X: (u) => 28 * u, Y: (v) => 18 * v };
  const samples = {
    points: { x: [0.5], y: [0.5], group: [0] },
    area: { x: [0, 1, 1, 0], y: [0.2, 0.2, 0.8, 0.8] },
    bars: { x: [0.1], x1: [0.9], y: [0.85], y1: [0.15] },
  };
  return keys.map(({ label, kind, style }) => {
    const sample = svg("svg", { width: 28, height: 18, "aria-hidden": "true" });
    DRAW[kind](sample, samples[kind] ?? { x: [0.02, 0.98], y: [0.5, 0.5] }, style, box);
    return html("span", {}, sample, label);
  });
}

// --- points that are moved -------------------------------------------------------------------------

/** The layer of handles over the points of one control. One of them can be reached with Tab. */
class Handles {
  constructor(view, panel, control) {
    Object.assign(this, { view, panel, control, current: 0 });
    this.layer = svg("svg", { class: "lm-layer", role: "group", "aria-label": control.spec.label });
    if (control.spec.editable) {
      panel.root.classList.add("lm-open");
      panel.root.onclick = (event) => this.click(event);
    }
    control.handles = this;
  }

  draw() {
    const { box } = this.panel;
    const { length } = this.control.points;
    this.layer.setAttribute("width", box.width);
    this.layer.setAttribute("height", box.height);
    if (!this.layer.parentNode) this.panel.root.append(this.layer);
    this.current = Math.max(0, Math.min(this.current, length - 1));
    while (this.layer.childNodes.length > length) this.layer.lastChild.remove();
    while (this.layer.childNodes.length < length) this.layer.append(this.handle());
    this.control.points.forEach((_, i) => this.update(i));
  }

  handle() {
    const attributes = { class: "lm-handle", role: "button", "aria-roledescription": "movable point" };
    const group = svg("g", { ...attributes, "data-lm-suppress-shortcuts": "true" });
    group.append(svg("circle", { r: 14 }), svg("circle", { r: 11, class: "lm-halo" }));
    group.onpointerdown = (event) => this.grab(event, group);
    group.onkeydown = (event) => this.key(event, this.indexOf(group));
    group.onfocus = () => this.choose(this.indexOf(group));
    return group;
  }

  indexOf(group) {
    return Array.prototype.indexOf.call(this.layer.childNodes, group);
  }

  update(i) {
    const [x, y, c] = this.control.points[i];
    const { box, header } = this.panel;
    const group = this.layer.childNodes[i];
    const [u, v] = [unit(header.x, x), unit(header.y, y)];
    const at = `translate(${place(box.left + box.X(u))} ${place(box.top + box.Y(v))})`;
    group.setAttribute("transform", at);
    group.setAttribute("tabindex", i === this.current ? 0 : -1);
    const where = `${short(x)}, ${short(y)}`;
    const { classes } = this.control.spec;
    group.setAttribute("aria-label", `point ${i + 1} of ${this.control.points.length}, ${classes[c]}, at ${where}`);
  }

  choose(i) {
    this.layer.childNodes[this.current]?.setAttribute("tabindex", -1);
    this.current = i;
    this.layer.childNodes[i]?.setAttribute("tabindex", 0);
  }

  focus(i) {
    this.choose(Math.max(0, Math.min(i, this.control.points.length - 1)));
    this.layer.childNodes[this.current]?.focus();
  }

  /** Data coordinates of a pointer event; `corner` of the layer is measured once in a drag. */
  locate(event, corner = this.layer.getBoundingClientRect()) {
    const { box, header } = this.panel;
    const u = (event.clientX - corner.left - box.left) / box.w;
    const v = 1 - (event.clientY - corner.top - box.top) / box.h;
    return { u, v, x: data(header.x, u), y: data(header.y, v) };
  }

  grab(event, group) {
    if (event.button !== 0) return;
    event.preventDefault();
    group.focus();
    group.setPointerCapture(event.pointerId);
    const i = this.indexOf(group);
    const corner = this.layer.getBoundingClientRect();
    const start = this.locate(event, corner);
    const [x0, y0] = this.control.points[i];
    let moved = false;
    group.onpointermove = (next) => {
      const at = this.locate(next, corner);
      if (!moved && Math.hypot(next.clientX - event.clientX, next.clientY - event.clientY) < 3) return;
      this.control.move(i, x0 + at.x - start.x, y0 + at.y - start.y, !moved);
      moved = true;
    };
    group.onpointerup = group.onpointercancel = () => {
      group.onpointermove = group.onpointerup = group.onpointercancel = null;
      if (!moved && this.control.clickRemoves()) this.control.remove(i);
    };
  }

  click(event) {
    if (event.target.closest(".lm-handle") || event.target.closest(".lm-legend")) return;
    const { u, v, x, y } = this.locate(event);
    if (Math.min(u, v, 1 - u, 1 - v) >= 0) this.control.clicked(x, y);
  }

  key(event, i) {
    const { header } = this.panel;
    const size = event.shiftKey ? 0.005 : 0.02;
    const [dx, dy] = [size * (header.x.hi - header.x.lo), size * (header.y.hi - header.y.lo)];
    const [x, y] = this.control.points[i];
    const actions = {
      ArrowLeft: () => this.control.move(i, x - dx, y),
      ArrowRight: () => this.control.move(i, x + dx, y),
      ArrowUp: () => this.control.move(i, x, y + dy),
      ArrowDown: () => this.control.move(i, x, y - dy),
      PageDown: () => this.focus(i + 1),
      PageUp: () => this.focus(i - 1),
      Home: () => this.focus(0),
      End: () => this.focus(Infinity),
      Delete: () => this.control.remove(i),
      Backspace: () => this.control.remove(i),
    };
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) actions.z = () => this.control.undo();
    if (!actions[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }
}

const unit = (axis, value) => (value - axis.lo) / (axis.hi - axis.lo);
const data = (axis, share) => axis.lo + share * (axis.hi - axis.lo);
const short = (value) => String(Number(value.toPrecision(3))).replace("-", "−");

// --- controls --------------------------------------------------------------------------------------
// Each has a root element, a `position` in its list of values, and `show()` after a change.

const QUIET = { "data-lm-suppress-shortcuts": "true" }; // keeps JupyterLab's keys away

function button(text, action, attributes = {}) {
  const element = html("button", { type: "button", ...QUIET, ...attributes }, text);
  element.onclick = action;
  return element;
}

class Slider {
  constructor(view, name, spec) {
    Object.assign(this, { view, name, spec });
    const id = unique();
    this.input = html("input", { type: "range", id, min: 0, max: spec.values.length - 1, step: 1, ...QUIET });
    this.input.oninput = () => view.move(name, spec.values[this.input.value]);
    this.text = html("span", { class: "lm-value", "aria-hidden": "true" });
    this.root = html("div", { class: "lm-control" }, html("label", { for: id }, spec.label), this.input, this.text);
  }

  get position() {
    return Math.max(0, this.spec.values.indexOf(this.view.values[this.name]));
  }

  show() {
    const text = this.spec.texts[this.position];
    this.input.value = this.position;
    this.input.setAttribute("aria-valuetext", text);
    this.text.textContent = text;
  }
}

class Choice {
  constructor(view, name, spec) {
    Object.assign(this, { view, name });
    const id = unique();
    const options = spec.names.map((text, i) => html("option", { value: i }, text));
    this.input = html("select", { id, ...QUIET }, ...options);
    this.input.onchange = () => view.move(name, Number(this.input.value));
    this.root = html("div", { class: "lm-control" }, html("label", { for: id }, spec.label), this.input);
  }

  get position() {
    return this.view.values[this.name];
  }

  show() {
    this.input.value = this.position;
  }
}

class Toggle {
  constructor(view, name, spec) {
    Object.assign(this, { view, name });
    this.input = html("input", { type: "checkbox", ...QUIET });
    this.input.onchange = () => view.move(name, this.input.checked);
    const label = html("label", { class: "lm-switch" }, this.input, spec.label);
    this.root = html("div", { class: "lm-control" }, label);
  }

  get position() {
    return Number(this.view.values[this.name]);
  }

  show() {
    this.input.checked = this.view.values[this.name];
  }
}

class Steps {
  constructor(view, name, spec) {
    Object.assign(this, { view, name, spec });
    const id = unique();
    const of = spec.label;
    this.input = html("input", { type: "range", id, min: 0, step: 1, ...QUIET });
    this.input.oninput = () => this.go(Number(this.input.value));
    this.text = html("span", { class: "lm-value", "aria-hidden": "true" });
    this.back = button("Back", () => this.go(this.position - 1), { "aria-label": `back one ${of}` });
    this.next = button("Next", () => this.go(this.position + 1), { "aria-label": `next ${of}` });
    this.jump = button(spec.jump, () => this.go(this.end.next));
    this.play = button("Play", () => (this.timer ? this.stop() : this.start()));
    this.reset = button("Reset", () => this.go(0), { "aria-label": `reset ${of}` });
    const buttons = [this.back, this.next, ...(spec.jump ? [this.jump] : []), this.play, this.reset];
    const label = html("label", { for: id }, of);
    this.root = html("div", { class: "lm-control" }, label, this.input, this.text, ...buttons);
  }

  get position() {
    return this.view.values[this.name];
  }

  get end() {
    return this.view.slots.get(`c.${this.name}`) ?? { last: 0, next: 0 };
  }

  go(step) {
    this.stop();
    this.view.move(this.name, Math.max(0, Math.min(step, this.end.last)));
  }

  start() {
    if (this.position >= this.end.last) this.view.move(this.name, 0);
    this.timer = setInterval(() => {
      if (this.position >= this.end.last) this.stop();
      else if (!this.view.waiting) this.view.move(this.name, this.position + 1);
    }, 400);
    this.show();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.show();
  }

  show() {
    const { last } = this.end;
    const text = `${this.position} of ${last}`;
    this.input.max = last;
    this.input.value = this.position;
    this.input.setAttribute("aria-valuetext", text);
    this.text.textContent = text;
    this.play.textContent = this.timer ? "Pause" : "Play";
    this.play.disabled = last === 0;
    this.back.disabled = this.reset.disabled = this.position <= 0;
    this.next.disabled = this.jump.disabled = this.position >= last;
  }
}

class PointsControl {
  constructor(view, name, spec) {
    Object.assign(this, { view, name, spec, points: spec.points, past: [] });
    const id = unique();
    const adds = spec.classes.map((label, c) => html("option", { value: c }, `adds a point of ${label}`));
    const others = [html("option", { value: "remove" }, "removes a point"), html("option", { value: "none" }, "only moves points")];
    this.mode = html("select", { id, ...QUIET }, ...adds, ...others);
    this.add = button("Add a point", () => this.addInTheMiddle());
    this.drop = button("Remove the point", () => this.remove(this.handles?.current ?? 0));
    this.back = button("Undo", () => this.undo());
    this.again = button("Start again", () => this.edit(["set", spec.points]));
    const edits = spec.editable
      ? [html("label", { for: id }, "a click"), this.mode, this.add, this.drop]
      : [html("span", { class: "lm-label" }, spec.label)];
    this.root = html("div", { class: "lm-control" }, ...edits, this.back, this.again);
    const keys = "Drag a point, or reach it with Tab: arrow keys move it (with Shift finely), Page Up and Page Down go to another point";
    this.help = html("p", { class: "lm-note" }, keys + (spec.editable ? ", Delete removes it." : "."));
  }

  position = 0;

  /** Edit the points here at once, and tell Python. `remember` false: part of a longer drag. */
  edit(edit, remember = true) {
    const [what, i] = edit;
    const before = this.points[i];
    const undo = {
      move: () => ["move", i, before[0], before[1]],
      insert: () => ["remove", i],
      remove: () => ["insert", i, ...before],
      set: () => ["set", this.points],
    };
    if (remember) this.past.push(undo[what]());
    this.apply(edit);
    this.view.sendEdit(this.name, edit);
  }

  apply([what, i, ...rest]) {
    const next = this.points.slice();
    if (what === "move") next[i] = [rest[0], rest[1], next[i][2]];
    if (what === "insert") next.splice(i, 0, rest);
    if (what === "remove") next.splice(i, 1);
    this.points = what === "set" ? i : next;
    this.view.redrawHandles(this.name, what === "move" ? i : null);
    this.show();
  }

  move(i, x, y, remember = true) {
    const { header } = this.handles.panel;
    const inside = (axis, value) => Math.max(axis.lo, Math.min(axis.hi, value));
    this.edit(["move", i, inside(header.x, x), inside(header.y, y)], remember);
  }

  remove(i) {
    if (!this.spec.editable || this.points.length <= this.spec.fewest || !this.points[i]) return;
    const focused = this.handles.layer.contains(document.activeElement);
    this.edit(["remove", i]);
    if (focused) this.handles.focus(i);
  }

  insert(x, y) {
    if (this.points.length >= this.spec.most) return;
    const c = Number(this.mode.value) || 0;
    this.edit(["insert", this.points.length, x, y, c]);
    this.handles.choose(this.points.length - 1);
  }

  addInTheMiddle() {
    const { header } = this.handles.panel;
    this.insert((header.x.lo + header.x.hi) / 2, (header.y.lo + header.y.hi) / 2);
    this.handles.focus(this.points.length - 1);
  }

  clicked(x, y) {
    if (Number.isInteger(Number(this.mode.value))) this.insert(x, y);
  }

  clickRemoves() {
    return this.spec.editable && this.mode.value === "remove";
  }

  undo() {
    const last = this.past.pop();
    if (last) this.edit(last, false);
  }

  show() {
    this.back.disabled = this.past.length === 0;
    this.add.disabled = this.points.length >= this.spec.most;
    this.drop.disabled = this.points.length <= this.spec.fewest;
  }
}

const CONTROLS = { slider: Slider, choice: Choice, toggle: Toggle, steps: Steps, points: PointsControl };

// --- the view: everything together, and the moves -------------------------------------------------

class View {
  static markers = {};

  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.id = unique();
    View.markers = model.get("_markers");
    this.slots = new Map();
    this.panels = [];
    this.values = {};
    this.controls = new Map();
    this.pending = { values: {}, edits: {} };
    this.waiting = 0; // number of the move that Python has not answered yet
    this.moves = 0;
    this.drawn = 0; // width of the last drawing
    this.build();
    for (const [name, control] of this.controls) {
      if (control instanceof PointsControl) continue;
      this.values[name] = model.get(name);
      model.on(`change:${name}`, () => this.changedOutside(name));
    }
    this.fill(model.get("_first"), model.get("_first_data"));
    const ahead = model.get("_ahead");
    this.table = ahead && new Table(ahead, model.get("_ahead_data"));
    model.on("msg:custom", (message, buffers) => this.receive(message, buffers));
    this.size = new ResizeObserver(() => this.resize());
    this.size.observe(el);
    if (this.table) this.wake();
    else this.post({ kind: "hello", view: this.id }); // without an answer it stays asleep
  }

  build() {
    this.picture = html("div", { class: "lm-picture" });
    this.error = html("div", { class: "lm-error", role: "alert" });
    this.legend = html("div", { class: "lm-legend" });
    this.readouts = html("dl", { class: "lm-readouts" });
    this.sentence = html("p", { class: "lm-sentence" });
    this.note = html("p", { class: "lm-note", role: "status" });
    this.status = html("div", { class: "lm-hidden", role: "status" });
    const box = html("div", { class: "lm-controls", role: "group", "aria-label": "Controls" });
    for (const [name, spec] of this.model.get("_controls")) {
      const control = new CONTROLS[spec.kind](this, name, spec);
      this.controls.set(name, control);
      box.append(control.root, ...(control.help ? [control.help] : []));
    }
    const parts = [box, this.error, this.picture, this.legend, this.readouts, this.sentence, this.note, this.status];
    this.root = html("div", { class: "lm", hidden: "" }, ...parts);
    this.el.append(this.root);
  }

  /** The widget answers: show it. */
  wake() {
    this.root.hidden = false;
    if (this.table) this.fillRow();
    this.resize();
  }

  /** Hide the static picture that stands before the widget. */
  hideFallback() {
    const image = `img.static-fallback[data-live="${this.model.get("_fallback")}"]`;
    for (let node = this.el; node && node !== document.body; node = node.parentElement) {
      for (let before = node.previousElementSibling; before; before = before.previousElementSibling) {
        const found = before.matches(image) ? before : before.querySelector(image);
        if (!found) continue;
        this.fallback = found.closest(".jp-OutputArea-child") ?? found;
        this.fallback.style.display = "none";
        return;
      }
    }
  }

  close() {
    this.size.disconnect();
    clearTimeout(this.announcing);
    clearTimeout(this.patience);
    for (const control of this.controls.values()) clearInterval(control.timer);
    this.model.off("msg:custom");
    if (this.fallback) this.fallback.style.display = "";
    this.root.remove();
  }

  // What the scene says, slot by slot. Only what changed is drawn again.

  fill(packed, view) {
    const bytes = ownBytes(view);
    this.update(Object.entries(packed).map(([slot, value]) => [slot, unpack(value, bytes)]));
  }

  fillRow() {
    const positions = [...this.controls.values()].map((control) => control.position);
    this.update(this.table.row(positions));
  }

  update(entries) {
    const changed = new Set();
    for (const [slot, value] of entries) {
      if (value === undefined || this.slots.get(slot) === value) continue;
      this.slots.set(slot, value);
      changed.add(slot.split("/")[0]);
    }
    if (this.drawn) this.draw(changed);
    this.say(changed);
  }

  resize() {
    const width = this.el.getBoundingClientRect().width;
    if (this.root.hidden || !width || width === this.drawn) return;
    if (!this.drawn) this.hideFallback(); // only now is the widget a part of the page
    this.drawn = width;
    this.drawAll();
  }

  drawAll() {
    const { stacks, columns } = this.slots.get("scene");
    const room = Math.min(this.drawn - 4, 1000);
    let row = Math.max(1, Math.min(columns, stacks.length));
    while (row > 1 && (room - 8 * (row - 1)) / row < 230) row--;
    const width = Math.floor(Math.min((room - 8 * (row - 1)) / row, PANEL_WIDTHS[Math.min(row, 4)]));
    this.picture.style.maxWidth = this.legend.style.maxWidth = `${row * width + 8 * (row - 1) + 1}px`;
    this.arrange(stacks);
    for (const panel of this.panels) panel.draw(width);
    this.width = width;
    this.name();
  }

  /** A column for each stack of panels; nothing moves while the stacks stay the same. */
  arrange(stacks) {
    const key = JSON.stringify(stacks);
    if (key === this.arranged) return;
    this.arranged = key;
    this.panels = stacks.flat().map((i) => this.panels[i] ?? new Panel(this, i));
    const column = (stack) => html("div", {}, ...stack.map((i) => this.panels[i].root));
    this.picture.replaceChildren(...stacks.map(column));
  }

  draw(changed) {
    if (changed.has("scene")) return this.drawAll();
    const whole = new Set();
    for (const slot of changed) {
      const [, index, part] = /^p(\d+)(?:\.(.*))?$/.exec(slot) ?? [];
      const panel = this.panels[index];
      if (!panel || whole.has(panel)) continue;
      if (part === "keys") panel.drawLegend();
      else if (part) panel.drawMark(Number(part.slice(1)));
      else {
        panel.draw(this.width);
        whole.add(panel);
      }
    }
    if (changed.has("sentence") || whole.size) this.name();
  }

  /** The first picture carries the sentence as its name; the others belong to it. */
  name() {
    const picture = this.panels[0].picture;
    picture.removeAttribute("aria-hidden");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", this.slots.get("sentence"));
  }

  say(changed) {
    if (changed.has("sentence")) this.sentence.textContent = this.slots.get("sentence");
    if (changed.has("keys")) this.legend.replaceChildren(...legend(this.slots.get("keys")));
    if (changed.has("error")) this.error.textContent = this.slots.get("error") ?? "";
    if (changed.has("readouts")) {
      const pair = ([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value));
      this.readouts.replaceChildren(...this.slots.get("readouts").map(pair));
    }
    for (const control of this.controls.values()) control.show();
    if (this.drawn && changed.has("sentence")) this.announce();
  }

  /** Speak the sentence once the hand rests. */
  announce() {
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => (this.status.textContent = this.slots.get("sentence")), 700);
  }

  // Points of a control, and the handles over them.

  handleArrays(name, header) {
    const { points } = this.controls.get(name);
    return {
      x: points.map((p) => unit(header.x, p[0])),
      y: points.map((p) => unit(header.y, p[1])),
      group: points.map((p) => p[2]),
    };
  }

  handlesOf(panel) {
    for (let j = 0; j < panel.header.marks; j++) {
      const name = this.slots.get(`p${panel.index}.m${j}`)?.style.handle;
      const control = this.controls.get(name);
      if (control) return panel.handles?.control === control ? panel.handles : new Handles(this, panel, control);
    }
    return null;
  }

  redrawHandles(name, only) {
    for (const panel of this.panels) {
      if (!panel.box) continue;
      for (let j = 0; j < panel.header.marks; j++) {
        if (this.slots.get(`p${panel.index}.m${j}`)?.style.handle === name) panel.drawMark(j);
      }
      if (panel.handles?.control.name !== name) continue;
      if (only === null) panel.handles.draw();
      else panel.handles.update(only);
    }
  }

  // Moves: at once from the table, or one at a time through Python, the latest wins.

  move(name, value) {
    this.values[name] = value;
    this.controls.get(name).show();
    this.model.set(name, value);
    if (this.table) {
      this.fillRow();
      this.model.save_changes();
    } else {
      this.pending.values[name] = value;
      this.send();
    }
  }

  sendEdit(name, edit) {
    const edits = (this.pending.edits[name] ??= []);
    const last = edits.at(-1);
    if (edit[0] === "move" && last?.[0] === "move" && last[1] === edit[1]) edits.pop();
    edits.push(edit);
    this.send();
  }

  send() {
    const { values, edits } = this.pending;
    if (this.waiting || !(Object.keys(values).length + Object.keys(edits).length)) return;
    this.pending = { values: {}, edits: {} };
    this.waiting = ++this.moves;
    this.post({ kind: "move", view: this.id, n: this.waiting, values, edits });
    this.patience = setTimeout(() => (this.note.textContent = "Waiting for Python … If no answer comes, run the cell again."), 2000);
  }

  post(message) {
    try {
      this.model.send(message);
    } catch {
      this.note.textContent = "Python does not answer: run the cell again.";
    }
  }

  receive(message, buffers) {
    if (message.kind !== "scene") return;
    const mine = message.view === this.id;
    for (const [name, points] of Object.entries(message.points ?? {})) {
      const control = this.controls.get(name);
      control.past = [];
      control.apply(["set", points]);
    }
    if (!mine) {
      for (const [name, edits] of Object.entries(message.edits ?? {})) {
        for (const edit of edits) this.controls.get(name).apply(edit);
      }
    }
    this.fill(message.slots, buffers[0]);
    if (this.root.hidden) this.wake();
    if (mine && message.n === this.waiting) {
      clearTimeout(this.patience);
      this.note.textContent = "";
      this.waiting = 0;
      this.send();
    }
  }

  /** Python, another view or a linked widget set a value. */
  changedOutside(name) {
    const value = this.model.get(name);
    if (this.values[name] === value || name in this.pending.values) return;
    this.values[name] = value;
    this.controls.get(name).show();
    if (this.table) this.fillRow();
  }
}

export default {
  render({ model, el }) {
    const view = new View(model, el);
    return () => view.close();
  },
};
