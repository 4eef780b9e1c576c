// The controls below the picture.
// Each has a root element, a `position` in its list of values, what is `said` of it, and `show()`
// after a change.

function button(text, action, attributes = {}) {
  const element = html("button", { type: "button", ...QUIET, ...attributes }, text);
  element.onclick = action;
  return element;
}

function menu(entries, attributes = {}) {
  const options = entries.map(([value, text]) => html("option", { value }, text));
  return html("select", { ...QUIET, ...attributes }, ...options);
}

/** Something below the picture in one row, behind its label. */
function row(label, input, ...rest) {
  input.id = unique();
  const name = html("label", { for: input.id }, label);
  return html("div", { class: "lm-control" }, name, input, ...rest);
}

/** A range input in its row, with its value in words. */
class Range {
  constructor(label, last, moved) {
    this.input = html("input", { type: "range", min: 0, max: last, step: 1, ...QUIET });
    this.input.oninput = () => moved(Number(this.input.value));
    this.text = html("span", { class: "lm-value", "aria-hidden": "true" });
    this.root = row(label, this.input, this.text);
  }

  show(position, text) {
    this.input.value = position;
    this.input.setAttribute("aria-valuetext", text);
    this.text.textContent = text;
  }
}

class Control {
  constructor(view, name, spec) {
    Object.assign(this, { view, name, spec });
    this.build(spec);
  }

  get position() {
    return Number(this.view.values[this.name]);
  }

  get said() {
    return [[this.spec.label, this.text]];
  }
}

class Slider extends Control {
  build({ label, values }) {
    this.range = new Range(label, values.length - 1, (position) => this.goTo(position));
    this.root = this.range.root;
  }

  get position() {
    return Math.max(0, this.spec.values.indexOf(this.view.values[this.name]));
  }

  get text() {
    return this.spec.texts[this.position];
  }

  goTo(position) {
    this.view.move(this.name, this.spec.values[position]);
  }

  show() {
    this.range.show(this.position, this.text);
  }
}

/** Numbers whose hand is on the picture; each has a slider here, its accessible twin. */
class Hand extends Control {
  build({ parts }) {
    this.ranges = parts.map(({ label, values }, i) => {
      const moved = (at) => this.set(this.values.with(i, values[at]), true);
      return new Range(label, values.length - 1, moved);
    });
    this.root = html("div", { class: "lm-hand" }, ...this.ranges.map(({ root }) => root));
  }

  get values() {
    return this.view.values[this.name];
  }

  get said() {
    const { label: whole, parts } = this.spec;
    const texts = parts.map((_, i) => this.text(i));
    if (parts.length > 2) return [[whole, texts.join(", ")]];
    return parts.map(({ label }, i) => [label, texts[i]]);
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
    const whole = this.positions.map(Math.round);
    return whole.reduce((sum, at, i) => sum * this.spec.parts[i].values.length + at, 0);
  }

  goTo(position) {
    const { parts } = this.spec;
    const places = digits(position, parts.map(({ values }) => values.length));
    this.set(places.map((at, i) => parts[i].values[at]), true);
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
    const snapped = free.map((v, i) => {
      const grid = parts[i].values;
      return grid[Math.round(gridPosition(parts[i], v)) % grid.length];
    });
    this.view.hold(this.name, free, snapped, done);
  }

  /** Steps of the grid for the keys; finer ones with Shift when Python is asked anyway. */
  step(i, count, fine) {
    const part = this.spec.parts[i];
    const { length } = part.values;
    const size = fine && !this.view.table ? 0.2 : 1;
    let at = gridPosition(part, this.values[i]) + size * count;
    const around = part.period && Number.isFinite(at);
    at = around ? (at + length) % length : Math.max(0, Math.min(at, length - 1));
    const between = part.values[0] + at * (part.values[1] - part.values[0]);
    this.set(this.values.with(i, part.values[at] ?? between), true);
  }

  show() {
    this.ranges.forEach((range, i) => range.show(Math.round(this.positions[i]), this.text(i)));
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

/** Sliders of what is held on the picture: they repeat it, so they are folded, their values are
 * not; and what the keys do. */
class Twins {
  constructor(controls, helps) {
    Object.assign(this, { controls, keys: helps.length ? ["keys"] : [] });
    this.summary = html("summary", QUIET);
    const roots = controls.map(({ root }) => root);
    this.root = html("details", { class: "lm-twins" }, this.summary, ...roots, ...helps);
  }

  show() {
    const said = this.controls.flatMap(({ said }) => said.map((pair) => pair.join(" ")));
    this.summary.textContent = [...said, ...this.keys].join(" · ");
  }
}

class Choice extends Control {
  build({ label, names }) {
    this.input = menu(names.map((text, i) => [i, text]));
    this.input.onchange = () => this.goTo(Number(this.input.value));
    this.root = row(label, this.input);
  }

  get text() {
    return this.spec.names[this.position];
  }

  goTo(position) {
    this.view.move(this.name, position, true);
  }

  show() {
    this.input.value = this.position;
  }
}

class Toggle extends Control {
  build({ label }) {
    this.input = html("input", { type: "checkbox", ...QUIET });
    this.input.onchange = () => this.goTo(this.input.checked);
    const words = html("label", { class: "lm-switch" }, this.input, label);
    this.root = html("div", { class: "lm-control" }, words);
  }

  get text() {
    return this.position ? "on" : "off";
  }

  goTo(position) {
    this.view.move(this.name, Boolean(position), true);
  }

  show() {
    this.input.checked = this.position;
  }
}

const [STEP, RUN] = [700, 12000]; // milliseconds of a step of play, and of all steps at most

class Steps extends Control {
  build({ label, jump }) {
    const step = (text, to, name) => button(text, () => this.go(to()), { "aria-label": name });
    this.range = new Range(label, 0, (position) => this.goTo(position));
    this.back = step("Back", () => this.position - 1, `back one ${label}`);
    this.next = step("Next", () => this.position + 1, `next ${label}`);
    this.reset = step("Reset", () => 0, `reset ${label}`);
    this.jump = button(jump, () => this.go(this.end.next), { class: "lm-primary" });
    this.play = button("Play", () => (this.timer ? this.stop() : this.start()));
    const buttons = [this.play, this.back, this.next, this.reset];
    if (jump) buttons.unshift(this.jump);
    const above = html("div", { class: "lm-control" }, ...buttons);
    this.root = html("div", { class: "lm-steps" }, above, this.range.root);
  }

  get end() {
    return this.view.slots.get(`c.${this.name}`) ?? { last: 0, next: 0 };
  }

  get text() {
    return this.spec.texts?.[this.position] ?? `${this.position} of ${this.end.last}`;
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
      const next = this.spec.jump ? this.end.next : this.position + 1;
      if (this.position >= this.end.last) this.stop();
      else if (!this.view.waiting) this.view.move(this.name, next, true);
    }, this.spec.jump ? STEP : Math.min(STEP, RUN / this.end.last));
    return this.show();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.show();
  }

  show() {
    const { last } = this.end;
    this.range.input.max = last;
    this.range.show(this.position, this.text);
    this.play.textContent = this.timer ? "Pause" : "Play";
    this.play.disabled = last === 0;
    this.back.disabled = this.reset.disabled = this.position <= 0;
    this.next.disabled = this.jump.disabled = this.position >= last;
  }
}

class PointsControl extends Control {
  position = 0;

  build({ boxes, classes, editable, label, points, presets }) {
    Object.assign(this, { points, past: [] });
    const [one, held] = boxes ? ["area", "corner"] : ["point", "point"];
    const adds = boxes ? "draws an area of" : "adds a point of";
    this.mode = menu([
      ...classes.map((name, c) => [c, `${adds} ${name}`]),
      ["remove", `removes ${boxes ? "an" : "a"} ${one}`],
      ["none", `only moves ${held}s`],
    ]);
    this.add = button(boxes ? "Add an area" : "Add a point", () => this.addInTheMiddle());
    this.drop = button(`Remove the ${one}`, () => this.remove(this.handles?.current ?? 0));
    this.back = button("Undo", () => this.undo());
    const again = button("Start again", () => this.edit(["set", points]));
    this.root = editable
      ? row(boxes ? "a drag" : "a click", this.mode, this.add, this.drop)
      : html("div", { class: "lm-control" }, html("span", { class: "lm-label" }, label));
    this.root.append(this.back, again);
    const others = Object.keys(presets).map((name) => [name, name]);
    const preset = menu([["", "other data …"], ...others], { "aria-label": "data to start from" });
    preset.onchange = () => {
      if (preset.value) this.edit(["set", presets[preset.value]]);
      preset.value = "";
    };
    if (others.length) this.root.append(preset);
    const removes = `Delete removes ${boxes ? "its area" : "it"}, Ctrl+Z takes back.`;
    const keys =
      `Drag a ${held}, or reach it with Tab: arrow keys move it (with Shift finely), ` +
      `Page Up and Page Down go to another ${held}`;
    this.help = html("p", { class: "lm-note" }, keys + (editable ? `, ${removes}` : "."));
  }

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
    this.edit(["move", i, inside(header.x, x), inside(header.y, y)], remember);
  }

  remove(i) {
    if (!this.spec.editable || this.points.length <= this.spec.fewest || !this.points[i]) return;
    const focused = this.handles.layer.contains(document.activeElement);
    const pair = Math.floor(i / 2);
    const others = this.points.filter((_, j) => Math.floor(j / 2) !== pair);
    this.edit(this.spec.boxes ? ["set", others] : ["remove", i]);
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
    const at = (share) => [data(header.x, share), data(header.y, share)];
    if (!this.spec.boxes) this.insert(...at(0.5));
    else if (this.enclose(at(0.47), at(0.53))) this.handles.focus(this.points.length - 1);
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

const CONTROLS = {
  slider: Slider,
  choice: Choice,
  toggle: Toggle,
  steps: Steps,
  points: PointsControl,
  hand: Hand,
};
