// What can be grabbed in a panel. Each control with something in the panel has a group of grips;
// a pointer that touches any of them takes the nearest, whichever lies on top.

const CLICK = 3; // pixels that a pointer may move before it drags

class Grips {
  constructor(view, panel, control, label) {
    Object.assign(this, { view, panel, control });
    this.layer = svg("svg", { class: "lm-layer", role: "group", "aria-label": label });
  }

  /** Lay the group over its panel, whose size may have changed. */
  draw() {
    const { box } = this.panel;
    set(this.layer, { width: box.width, height: box.height });
    if (!this.layer.parentNode) this.panel.root.append(this.layer);
    this.update();
  }

  /** A grip: an element that can take the focus, with what the pointer may touch inside. */
  grip(attributes, ...parts) {
    const group = svg("g", { class: "lm-handle", ...QUIET, ...attributes }, ...parts);
    group.onpointerdown = (event) => this.panel.take(event);
    // A finger on a grip moves it and does not scroll; browsers ignore touch-action inside an svg.
    group.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    group.onkeydown = (event) => this.press(event, group);
    return group;
  }

  /** Where a pointer event is, in pixels of the panel and in data coordinates. */
  locate(event, corner = this.layer.getBoundingClientRect()) {
    return this.panel.spot(event.clientX - corner.left, event.clientY - corner.top);
  }

  /** Follow the pointer until it lets go; `follow` is given the spot, the first one, the end. */
  drag(event, element, follow, clicked = () => {}) {
    event.preventDefault();
    element.focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    element.classList.add("lm-held");
    const corner = this.layer.getBoundingClientRect();
    const start = this.locate(event, corner);
    let last = null;
    element.onpointermove = (next) => {
      const at = this.locate(next, corner);
      if (!last && Math.hypot(at.px - start.px, at.py - start.py) < CLICK) return;
      follow(at, start, { first: !last, done: false });
      last = at;
    };
    element.onpointerup = element.onpointercancel = () => {
      element.onpointermove = element.onpointerup = element.onpointercancel = null;
      element.classList.remove("lm-held");
      if (last) follow(last, start, { first: false, done: true });
      else clicked(start);
    };
  }

  indexOf(group) {
    return Array.from(this.layer.childNodes).indexOf(group);
  }

  press(event, element) {
    const action = this.keys(event, element)[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}

/** Distance of a spot from the piece between two points, in pixels. */
function away({ px, py }, [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const share = ((px - x0) * dx + (py - y0) * dy) / (dx * dx + dy * dy || 1);
  const along = Math.max(0, Math.min(1, share));
  return Math.hypot(px - x0 - along * dx, py - y0 - along * dy);
}

/** A round place that is held: what the finger hits, and a ring that shows hover and focus. */
const spotParts = () => [
  svg("circle", { class: "lm-hit", r: 14 }),
  svg("circle", { r: 11, class: "lm-halo" }),
];

/** What can be held has a knob like this one and like nothing else; its chevrons say which way it
 * goes. A collar is the same around something that is drawn already. */
const CHEVRONS = "M-2.2 -2.8l-2.6 2.8l2.6 2.8M2.2 -2.8l2.6 2.8l-2.6 2.8";
const OUTWARD = "M-13 -3.5l-3.5 3.5l3.5 3.5M13 -3.5l3.5 3.5l-3.5 3.5";
function knobParts(collar = false) {
  const chevrons = () => svg("path", { d: collar ? OUTWARD : CHEVRONS });
  const across = svg("g", { transform: "rotate(90)" }, chevrons());
  const ways = svg("g", { class: "lm-ways lm-free" }, chevrons(), across);
  const look = collar ? { class: "lm-knob lm-collar", r: 10 } : { class: "lm-knob", r: 8 };
  const knob = svg("circle", look);
  return [...spotParts(), knob, ways];
}

/** Turn the chevrons of a knob along a direction in pixels; without one it goes everywhere. */
function pointAlong(knob, direction) {
  const ways = knob.querySelector(".lm-ways");
  ways.classList.toggle("lm-free", !direction);
  const [right, down] = direction ?? [1, 0];
  ways.setAttribute("transform", `rotate(${place(degrees(down, right))})`);
}

const moveTo = (knob, at) =>
  knob.setAttribute("transform", `translate(${at.map(place).join(" ")})`);

/** The path through some places in pixels. */
const through = (places) =>
  places.map((at, i) => (i ? "L" : "M") + at.map(place).join(" ")).join("");

/** What the keys do to something that goes back and forth. */
const wayKeys = (back, next, first, last) => ({
  ArrowLeft: back,
  ArrowDown: back,
  ArrowRight: next,
  ArrowUp: next,
  Home: first,
  End: last,
});

/** The points of one control. One of them can be reached with Tab, the others from there. */
class PointGrips extends Grips {
  constructor(view, panel, control) {
    super(view, panel, control, control.spec.label);
    this.current = 0;
    if (control.spec.editable) {
      panel.root.classList.add("lm-open");
      panel.root.onclick = (event) => this.click(event);
      if (control.spec.boxes) {
        const free = (event) => control.draws && this.isFree(event);
        panel.root.addEventListener("pointerdown", (event) => free(event) && this.sketch(event));
        const still = (event) => free(event) && event.preventDefault();
        panel.root.addEventListener("touchstart", still, { passive: false });
      }
    }
    control.handles = this;
  }

  update() {
    const { length } = this.control.points;
    this.current = Math.max(0, Math.min(this.current, length - 1));
    while (this.layer.childNodes.length > length) this.layer.lastChild.remove();
    while (this.layer.childNodes.length < length) this.layer.append(this.handle());
    this.control.points.forEach((_, i) => this.put(i));
  }

  handle() {
    const parts = this.control.spec.editable ? spotParts() : knobParts(true);
    const group = this.grip({ role: "button", "aria-roledescription": "movable point" }, ...parts);
    group.onfocus = () => {
      this.choose(this.indexOf(group));
      this.tell();
    };
    group.onblur = () => this.tell();
    return group;
  }

  put(i) {
    const [x, y, c] = this.control.points[i];
    const group = this.layer.childNodes[i];
    const { boxes, classes } = this.control.spec;
    const which = `${boxes ? "corner" : "point"} ${i + 1} of ${this.control.points.length}`;
    const label = `${which}, ${classes[c]}, at ${short(x)}, ${short(y)}`;
    moveTo(group, this.panel.pixels([x, y]));
    set(group, { tabindex: i === this.current ? 0 : -1, "aria-label": label });
  }

  /** Say at the points that are looked at what the scene says about them. */
  tell() {
    for (const text of this.layer.querySelectorAll("text")) text.remove();
    const name = `p${this.panel.index}.m${this.mark}`;
    const values = this.view.slots.get(`${name}/note`);
    if (values?.length !== this.control.points.length) return;
    for (const group of new Set([this.panel.near, document.activeElement])) {
      const i = this.indexOf(group);
      if (i < 0) continue;
      const noted = `${this.view.slots.get(name).style.note} = ${short(values[i])}`;
      this.put(i);
      group.setAttribute("aria-label", `${group.getAttribute("aria-label")}, ${noted}`);
      group.append(words(noted, { x: 0, y: -18 }, 12, "ink", "middle"));
    }
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

  distances({ px, py }) {
    return this.control.points.map((point) => {
      const [x, y] = this.panel.pixels(point);
      return Math.hypot(px - x, py - y);
    });
  }

  grab(event, i) {
    const group = this.layer.childNodes[i];
    const [x0, y0] = this.control.points[i];
    const follow = (at, start, { first, done }) => {
      if (!done) this.control.move(i, x0 + at.x - start.x, y0 + at.y - start.y, first);
    };
    this.drag(event, group, follow, () => this.control.clickRemoves() && this.control.remove(i));
  }

  click(event) {
    if (this.panel.dragged || !this.isFree(event)) return;
    const { x, y } = this.locate(event);
    this.control.clicked(x, y);
  }

  /** Whether nothing is held where the pointer is; a touch gives its first finger. */
  isFree(event) {
    if ((event.button ?? 0) !== 0 || event.target.closest(".lm-handle, .lm-legend")) return false;
    const { u, v } = this.locate(event.touches?.[0] ?? event);
    return Math.min(u, v, 1 - u, 1 - v) >= 0;
  }

  /** Draw a rectangle from where the pointer went down to where it goes. */
  sketch(event) {
    let last = -1;
    const follow = (at, start, { first, done }) => {
      if (first && this.control.enclose([start.x, start.y], [at.x, at.y])) {
        last = this.control.points.length - 1;
      }
      if (last < 0) return;
      if (done) this.focus(last); // the keys now move its corner, and take it back
      else this.control.move(last, at.x, at.y, false);
    };
    this.drag(event, this.layer, follow);
  }

  keys(event, group) {
    const i = this.indexOf(group);
    const { header } = this.panel;
    const size = event.shiftKey ? 0.005 : 0.02;
    const [dx, dy] = [size * (header.x.hi - header.x.lo), size * (header.y.hi - header.y.lo)];
    const [x, y] = this.control.points[i];
    const move = (right, up) => () => this.control.move(i, x + right * dx, y + up * dy);
    const actions = {
      ArrowLeft: move(-1, 0),
      ArrowRight: move(1, 0),
      ArrowUp: move(0, 1),
      ArrowDown: move(0, -1),
      PageDown: () => this.focus(i + 1),
      PageUp: () => this.focus(i - 1),
      Home: () => this.focus(0),
      End: () => this.focus(Infinity),
      Delete: () => this.control.remove(i),
      Backspace: () => this.control.remove(i),
    };
    if (event.ctrlKey || event.metaKey) actions.z = () => this.control.undo();
    return actions;
  }
}
