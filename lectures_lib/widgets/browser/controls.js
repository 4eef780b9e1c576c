// The controls below the picture.
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
    this.input.oninput = () => this.goTo(Number(this.input.value));
    this.text = html("span", { class: "lm-value", "aria-hidden": "true" });
    this.root = html("div", { class: "lm-control" }, html("label", { for: id }, spec.label), this.input, this.text);
  }

  get position() {
    return Math.max(0, this.spec.values.indexOf(this.view.values[this.name]));
  }

  get said() {
    return [[this.spec.label, this.spec.texts[this.position]]];
  }

  goTo(position) {
    this.view.move(this.name, this.spec.values[position]);
  }

  show() {
    const text = this.spec.texts[this.position];
    this.input.value = this.position;
    this.input.setAttribute("aria-valuetext", text);
    this.text.textContent = text;
  }
}

/** Numbers whose hand is on the picture; each has a slider here, its accessible twin. */
class Hand {
  constructor(view, name, spec) {
    Object.assign(this, { view, name, spec });
    this.rows = spec.parts.map((part, i) => {
      const id = unique();
      const input = html("input", { type: "range", id, min: 0, max: part.values.length - 1, step: 1, ...QUIET });
      input.oninput = () => this.set(this.values.map((v, k) => (k === i ? part.values[input.value] : v)), true);
      const text = html("span", { class: "lm-value", "aria-hidden": "true" });
      const row = html("div", { class: "lm-control" }, html("label", { for: id }, part.label), input, text);
      return { input, text, row };
    });
    this.root = html("div", { class: "lm-hand" }, ...this.rows.map(({ row }) => row));
  }

  get values() {
    return this.view.values[this.name];
  }

  get said() {
    const { label: whole, parts } = this.spec;
    const texts = parts.map((_, i) => this.text(i));
    return parts.length > 2 ? [[whole, texts.join(", ")]] : parts.map(({ label }, i) => [label, texts[i]]);
  }

  /** Where each number stands in its grid; between two of its values when it lies between them. */
  get positions() {
    return this.spec.parts.map((part, i) => gridPosition(part, this.values[i]));
  }

  get position() {
    return Math.round(this.positions[0]);
  }

  /** The number of the present values among all of them, as Python lists them. */
  get place() {
    return this.positions.reduce((sum, at, i) => sum * this.spec.parts[i].values.length + Math.round(at), 0);
  }

  goTo(position) {
    let rest = position;
    const values = this.spec.parts.toReversed().map((part) => {
      const at = rest % part.values.length;
      rest = (rest - at) / part.values.length;
      return part.values[at];
    });
    this.set(values.reverse(), true);
  }

  text(i) {
    const { values, texts, unit: suffix } = this.spec.parts[i];
    const at = values.indexOf(this.values[i]);
    return at < 0 ? short(this.values[i]) + suffix : texts[at];
  }

  /** Any numbers while the hand moves; on the grid when it lets go and scenes were sent ahead. */
  set(values, done) {
    const { parts } = this.spec;
    const free = values.map((v, i) => within(parts[i], v));
    const snapped = free.map((v, i) => parts[i].values[Math.round(gridPosition(parts[i], v)) % parts[i].values.length]);
    this.view.hold(this.name, free, snapped, done);
  }

  /** Steps of the grid for the keys; finer ones with Shift when Python is asked anyway. */
  step(i, count, fine) {
    const part = this.spec.parts[i];
    const { length } = part.values;
    const size = fine && !this.view.table ? 0.2 : 1;
    let at = gridPosition(part, this.values[i]) + size * count;
    at = part.period && Number.isFinite(at) ? (at + length) % length : Math.max(0, Math.min(at, length - 1));
    const value = part.values[0] + at * (part.values[1] - part.values[0]);
    const moved = this.values.map((v, k) => (k === i ? (Number.isInteger(at) ? part.values[at] : value) : v));
    this.set(moved, true);
  }

  show() {
    this.rows.forEach(({ input, text }, i) => {
      input.value = Math.round(this.positions[i]);
      input.setAttribute("aria-valuetext", this.text(i));
      text.textContent = this.text(i);
    });
    if (this.grips?.panel.box) this.grips.update();
  }
}

const gridPosition = ({ values }, value) => {
  const at = values.indexOf(value);
  return at < 0 ? (value - values[0]) / (values[1] - values[0]) : at;
};

function within({ values, period }, value) {
  if (period) return ((value % period) + period) % period;
  return Math.max(values[0], Math.min(values.at(-1), value));
}

/** Sliders of what is held on the picture: they repeat it, so they are folded, their values are not;
 * and what the keys do. */
class Twins {
  constructor(controls, helps) {
    Object.assign(this, { controls, keys: helps.length ? ["keys"] : [] });
    this.summary = html("summary", QUIET);
    const roots = controls.map(({ root }) => root);
    this.root = html("details", { class: "lm-twins" }, this.summary, ...roots, ...helps);
  }

  show() {
    const said = this.controls.flatMap(({ said }) => said).map(([label, text]) => `${label} ${text}`);
    this.summary.textContent = [...said, ...this.keys].join(" · ");
  }
}

class Choice {
  constructor(view, name, spec) {
    Object.assign(this, { view, name, spec });
    const id = unique();
    const options = spec.names.map((text, i) => html("option", { value: i }, text));
    this.input = html("select", { id, ...QUIET }, ...options);
    this.input.onchange = () => view.move(name, Number(this.input.value), true);
    this.root = html("div", { class: "lm-control" }, html("label", { for: id }, spec.label), this.input);
  }

  get position() {
    return this.view.values[this.name];
  }

  get said() {
    return [[this.spec.label, this.spec.names[this.position]]];
  }

  goTo(position) {
    this.view.move(this.name, position, true);
  }

  show() {
    this.input.value = this.position;
  }
}

class Toggle {
  constructor(view, name, spec) {
    Object.assign(this, { view, name, spec });
    this.input = html("input", { type: "checkbox", ...QUIET });
    this.input.onchange = () => view.move(name, this.input.checked, true);
    const label = html("label", { class: "lm-switch" }, this.input, spec.label);
    this.root = html("div", { class: "lm-control" }, label);
  }

  get position() {
    return Number(this.view.values[this.name]);
  }

  get said() {
    return [[this.spec.label, this.position ? "on" : "off"]];
  }

  goTo(position) {
    this.view.move(this.name, Boolean(position), true);
  }

  show() {
    this.input.checked = this.view.values[this.name];
  }
}

const SPEEDS = { slowly: 1400, "": 700, fast: 250 }; // milliseconds from one event to the next

class Steps {
  constructor(view, name, spec) {
    Object.assign(this, { view, name, spec });
    const [id, speed] = [unique(), unique()];
    const of = spec.label;
    this.input = html("input", { type: "range", id, min: 0, step: 1, ...QUIET });
    this.input.oninput = () => this.go(Number(this.input.value), false);
    this.text = html("span", { class: "lm-value", "aria-hidden": "true" });
    this.back = button("Back", () => this.go(this.position - 1), { "aria-label": `back one ${of}` });
    this.next = button("Next", () => this.go(this.position + 1), { "aria-label": `next ${of}` });
    this.jump = button(spec.jump, () => this.go(this.end.next), { class: "lm-primary" });
    this.play = button("Play", () => (this.timer ? this.stop() : this.start()));
    this.reset = button("Reset", () => this.go(0), { "aria-label": `reset ${of}` });
    const speeds = Object.keys(SPEEDS).map((word) => html("option", { value: word }, word || "at medium speed"));
    this.speed = html("select", { id: speed, "aria-label": "speed of play", ...QUIET }, ...speeds);
    this.speed.value = "";
    this.speed.onchange = () => this.timer && this.start();
    const buttons = [...(spec.jump ? [this.jump] : []), this.play, this.speed, this.back, this.next, this.reset];
    const row = html("div", { class: "lm-control" }, html("label", { for: id }, of), this.input, this.text);
    this.root = html("div", { class: "lm-steps" }, html("div", { class: "lm-control" }, ...buttons), row);
  }

  get position() {
    return this.view.values[this.name];
  }

  get end() {
    return this.view.slots.get(`c.${this.name}`) ?? { last: 0, next: 0 };
  }

  get texts() {
    return null;
  }

  go(step, glide = true) {
    this.stop();
    this.view.move(this.name, Math.max(0, Math.min(step, this.end.last)), glide);
  }

  goTo(step) {
    this.go(step, false);
  }

  /** Play goes from event to event where the plan names events, else from step to step. */
  start() {
    clearInterval(this.timer);
    if (!moves()) return this.go(this.end.last); // the end at once; the buttons go step by step
    if (this.position >= this.end.last) this.view.move(this.name, 0);
    this.timer = setInterval(() => {
      if (this.position >= this.end.last) this.stop();
      else if (!this.view.waiting) this.view.move(this.name, this.spec.jump ? this.end.next : this.position + 1, true);
    }, SPEEDS[this.speed.value]);
    return this.show();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.show();
  }

  show() {
    const { last } = this.end;
    const text = this.spec.texts?.[this.position] ?? `${this.position} of ${last}`;
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
    const [adding, one] = spec.boxes ? ["draws an area of", "area"] : ["adds a point of", "point"];
    const adds = spec.classes.map((label, c) => html("option", { value: c }, `${adding} ${label}`));
    const only = spec.boxes ? "only moves corners" : "only moves points";
    const others = [html("option", { value: "remove" }, `removes ${spec.boxes ? "an" : "a"} ${one}`), html("option", { value: "none" }, only)];
    this.mode = html("select", { id, ...QUIET }, ...adds, ...others);
    this.add = button(spec.boxes ? "Add an area" : "Add a point", () => this.addInTheMiddle());
    this.drop = button(`Remove the ${one}`, () => this.remove(this.handles?.current ?? 0));
    this.back = button("Undo", () => this.undo());
    this.again = button("Start again", () => this.edit(["set", spec.points]));
    const edits = spec.editable
      ? [html("label", { for: id }, spec.boxes ? "a drag" : "a click"), this.mode, this.add, this.drop]
      : [html("span", { class: "lm-label" }, spec.label)];
    const sets = Object.keys(spec.presets);
    const choices = sets.map((preset) => html("option", { value: preset }, preset));
    this.preset = html("select", { "aria-label": "data to start from", ...QUIET }, html("option", { value: "" }, "other data …"), ...choices);
    this.preset.onchange = () => {
      if (this.preset.value) this.edit(["set", spec.presets[this.preset.value]]);
      this.preset.value = "";
    };
    this.root = html("div", { class: "lm-control" }, ...edits, this.back, this.again, ...(sets.length ? [this.preset] : []));
    const held = spec.boxes ? "corner" : "point";
    const keys = `Drag a ${held}, or reach it with Tab: arrow keys move it (with Shift finely), Page Up and Page Down go to another ${held}`;
    this.help = html("p", { class: "lm-note" }, keys + (spec.editable ? `, Delete removes ${spec.boxes ? "its area" : "it"}, Ctrl+Z takes back.` : "."));
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
    const pair = Math.floor(i / 2);
    if (this.spec.boxes) this.edit(["set", this.points.filter((_, j) => Math.floor(j / 2) !== pair)]);
    else this.edit(["remove", i]);
    if (focused) this.handles.focus(i);
  }

  insert(x, y) {
    if (this.points.length >= this.spec.most) return;
    const c = Number(this.mode.value) || 0;
    this.edit(["insert", this.points.length, x, y, c]);
    this.handles.focus(this.points.length - 1); // the keys now move it, and take it back
  }

  /** A rectangle between two corners: one edit, so that one step takes it back. */
  enclose([x0, y0], [x1, y1]) {
    if (this.points.length + 2 > this.spec.most) return false;
    const c = Number(this.mode.value) || 0;
    this.edit(["set", [...this.points, [x0, y0, c], [x1, y1, c]]]);
    this.handles.choose(this.points.length - 1);
    return true;
  }

  addInTheMiddle() {
    const { header } = this.handles.panel;
    if (this.spec.boxes) {
      const at = (share) => [data(header.x, share), data(header.y, share)];
      if (this.enclose(at(0.47), at(0.53))) this.handles.focus(this.points.length - 1);
      return;
    }
    this.insert((header.x.lo + header.x.hi) / 2, (header.y.lo + header.y.hi) / 2);
  }

  /** Whether a drag over the picture draws an area. */
  get draws() {
    return this.spec.boxes && Number.isInteger(Number(this.mode.value));
  }

  clicked(x, y) {
    if (!this.spec.boxes && Number.isInteger(Number(this.mode.value))) this.insert(x, y);
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

const CONTROLS = { slider: Slider, choice: Choice, toggle: Toggle, steps: Steps, points: PointsControl, hand: Hand };
