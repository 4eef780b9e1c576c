// Lines, arrows, ellipses and thresholds that are held on the picture. `HANDS` says for each kind
// where its grips are and what a drag does to its numbers; all of it is plane geometry in the
// panel's coordinates. A grip:
//   part      its number, when there is one: the grip is then a slider for assistive technology
//   name      what it is called otherwise
//   at        where its knob stands (data coordinates)
//   body      two ends of a piece that can be held as well
//   area      true: body is the outline of an area, which is held anywhere inside
//   drag      (at, start, values at the start, values now) -> values
//   arrows    numbers that the keys change: [left and right, up and down]
//   way       the direction in which it goes, in data coordinates; none: everywhere

const degrees = (dy, dx) => (Math.atan2(dy, dx) * 180) / Math.PI;
const alongAngle = (angle) => [Math.cos, Math.sin].map((part) => part((angle * Math.PI) / 180));

/** The angle whose axis is the same as that of `angle`, on the side of `before`. */
const sameSide = (angle, before) => angle + 180 * Math.round((before - angle) / 180);

/** Both ends of a line through `at` along (u, v) in the frame of a panel, or null. */
function across({ x, y }, [px, py], [u, v]) {
  let [from, to] = [-Infinity, Infinity];
  for (const [axis, at, step] of [[x, px, u], [y, py, v]]) {
    if (Math.abs(step) < 1e-12) {
      if (at < axis.lo || at > axis.hi) return null;
      continue;
    }
    const ends = [(axis.lo - at) / step, (axis.hi - at) / step].sort((a, b) => a - b);
    [from, to] = [Math.max(from, ends[0]), Math.min(to, ends[1])];
  }
  if (from >= to) return null;
  return [from, to].map((t) => [px + t * u, py + t * v]);
}

const mix = ([a, b], [c, d], share) => [a + share * (c - a), b + share * (d - b)];
const inside = (axis, value) => Math.max(axis.lo, Math.min(axis.hi, value));

const HANDS = {
  threshold([value], { axis, across: whole }, { x, y }) {
    const ends = axis === "x" ? [[value, y.lo], [value, y.hi]] : [[x.lo, value], [x.hi, value]];
    const at = mix(...ends, whole ? (axis === "x" ? 0.94 : 0.06) : 0);
    const drag = (to, start, [v]) => [v + to[axis] - start[axis]];
    return [{ part: 0, at, body: whole ? ends : null, drag, way: axis === "x" ? [1, 0] : [0, 1] }];
  },

  line([angle, shift], { centre: [cx, cy], arrow }, header) {
    const w = alongAngle(angle);
    const foot = [cx + shift * w[0], cy + shift * w[1]];
    const ends = across(header, foot, [-w[1], w[0]]);
    const move = (to, start, [a, s]) => [a, s + (to.x - start.x) * w[0] + (to.y - start.y) * w[1]];
    if (!ends) {
      const at = [inside(header.x, foot[0]), inside(header.y, foot[1])];
      return [{ part: 1, at, drag: move, way: w }];
    }
    const pivot = mix(...ends, 0.5);
    const swing = (to, start, before, [a]) => {
      const turned = sameSide(degrees(to.y - pivot[1], to.x - pivot[0]) - 90, a);
      const [u, v] = alongAngle(turned);
      return [turned, u * (pivot[0] - cx) + v * (pivot[1] - cy)];
    };
    const grips = [
      { part: 1, at: pivot, body: ends, drag: move, way: w },
      { part: 0, at: mix(...ends, 0.06), drag: swing, way: w },
      { part: 0, at: mix(...ends, 0.94), drag: swing, way: w, twin: true },
    ];
    if (arrow) grips.push(normal(w, foot, header, [cx, cy], arrow));
    return grips;
  },

  direction([angle], { centre }, header) {
    const [u, v] = alongAngle(angle);
    const ends = across(header, centre, [u, v]);
    if (!ends) return [];
    const swing = (to, start, before, [a]) => {
      return [sameSide(degrees(to.y - centre[1], to.x - centre[0]), a)];
    };
    return [
      { part: 0, at: mix(...ends, 0.94), body: ends, drag: swing, way: [-v, u] },
      { part: 0, at: mix(...ends, 0.06), drag: swing, way: [-v, u], twin: true },
    ];
  },

  arrow([x, y], { tail }) {
    // Held by its shaft, the head goes farther than the hand, so that the shaft stays under it.
    const drag = (to, start, [a, b]) => {
      const along = (start.x - tail[0]) * a + (start.y - tail[1]) * b;
      const size = Math.max(0.2, Math.min(1, along / (a * a + b * b || 1)));
      return [a + (to.x - start.x) / size, b + (to.y - start.y) / size];
    };
    const tip = [tail[0] + x, tail[1] + y];
    return [{ name: "head", at: tip, body: [tail, tip], drag, arrows: [0, 1] }];
  },

  turn(values, spec, { x, y }) {
    const size = 180 / (x.hi - x.lo); // a drag across the panel is half a turn
    const drag = (to, start, [a, b]) => [a + (to.x - start.x) * size, b + (to.y - start.y) * size];
    const body = [[x.lo, y.lo], [x.hi, y.lo], [x.hi, y.hi], [x.lo, y.hi]];
    const at = mix(body[1], body[3], 0.06);
    return [{ name: "view", at, body, area: true, drag, arrows: [0, 1] }];
  },

  ellipse([x, y, a, b, angle]) {
    const [u, v] = alongAngle(angle);
    const rim = Array.from({ length: 36 }, (_, i) => {
      const [c, s] = alongAngle(10 * i);
      return [x + a * c * u - b * s * v, y + a * c * v + b * s * u];
    });
    const move = (to, start, [p, q, ...rest]) => [p + to.x - start.x, q + to.y - start.y, ...rest];
    const size = (to) => Math.hypot(to.x - x, to.y - y);
    const swing = (to, start, [p, q, , s]) => [p, q, size(to), s, degrees(to.y - y, to.x - x)];
    const swell = (to, start, [p, q, s]) => [p, q, s, size(to), degrees(to.y - y, to.x - x) - 90];
    return [
      { name: "centre", at: [x, y], body: rim, area: true, drag: move, arrows: [0, 1] },
      { name: "first axis", at: [x + a * u, y + a * v], drag: swing, arrows: [4, 2] },
      { name: "second axis", at: [x - b * v, y + b * u], drag: swell, arrows: [4, 3] },
    ];
  },
};

/** The head of the arrow that stands on a line, where it is nearest to a point; as normal_arrow in
 * plane.py draws it unless the point and a length are given. */
function normal(w, foot, { x, y }, [cx, cy], arrow) {
  const plain = [data(x, 0.5), data(y, 0.5), 0.2 * (x.hi - x.lo)];
  const [mx, my, length] = arrow === true ? plain : arrow;
  const along = (mx - foot[0]) * w[1] - (my - foot[1]) * w[0];
  const stand = [foot[0] + along * w[1], foot[1] - along * w[0]];
  const drag = (to, start, [a]) => {
    const turned = a + degrees(to.y - stand[1], to.x - stand[0]) - degrees(w[1], w[0]);
    const [u, v] = alongAngle(turned);
    return [turned, u * (stand[0] - cx) + v * (stand[1] - cy)];
  };
  const at = [stand[0] + length * w[0], stand[1] + length * w[1]];
  return { part: 0, at, body: [stand, at], drag, way: [-w[1], w[0]], twin: true };
}

/** What a grip says as a slider: its ends, its value, and that in words when there are any. */
function say(element, min, max, now, text) {
  set(element, { "aria-valuemin": min, "aria-valuemax": max, "aria-valuenow": now });
  if (text !== undefined) element.setAttribute("aria-valuetext", text);
}

/** The grips of one hand control over its panel. */
class HandGrips extends Grips {
  constructor(view, panel, control) {
    super(view, panel, control, control.spec.label);
    control.grips = this;
    this.found = [];
  }

  update() {
    const { spec, values } = this.control;
    this.found = HANDS[spec.hand](values, spec, this.panel.header);
    while (this.layer.childNodes.length > this.found.length) this.layer.lastChild.remove();
    this.found.forEach((grip, i) => {
      const element = this.layer.childNodes[i] ?? this.layer.appendChild(this.element());
      const [knob, body] = element.childNodes;
      const at = this.panel.pixels(grip.at);
      moveTo(knob, at);
      const { way, at: [x, y] } = grip;
      const next = way && this.panel.pixels([x + way[0], y + way[1]]);
      pointAlong(knob, next && [next[0] - at[0], next[1] - at[1]]);
      body.setAttribute("d", through((grip.body ?? []).map((end) => this.panel.pixels(end))));
      body.classList.toggle("lm-area", Boolean(grip.area));
      this.name(element, grip);
    });
  }

  element() {
    return this.grip({}, svg("g", {}, ...knobParts()), svg("path", { class: "lm-body" }));
  }

  /** One number: a slider. Two: something that moves. The other end of a line needs no Tab stop. */
  name(element, { part, name, arrows, twin }) {
    const { spec, values } = this.control;
    if (twin) return set(element, { tabindex: -1, "aria-hidden": "true" });
    const texts = (arrows ?? [part]).map((i) => this.control.text(i));
    const held = `${spec.label}, ${name}, at ${texts.join(", ")}`;
    const label = arrows ? held : spec.parts[part].label;
    set(element, { tabindex: 0, role: arrows ? "button" : "slider", "aria-label": label });
    if (arrows) return element.setAttribute("aria-roledescription", "movable");
    const grid = spec.parts[part].values;
    return say(element, grid[0], grid.at(-1), values[part], texts[0]);
  }

  /** A knob is nearer than a body at the same distance: it says where to take hold. */
  distances(spot) {
    return this.found.map(({ at, body, area }) => {
      const [x, y] = this.panel.pixels(at);
      const knob = Math.hypot(spot.px - x, spot.py - y);
      if (!body) return knob;
      if (area) return Math.min(knob, 20); // what has a knob of its own on the area is taken first
      return Math.min(knob, 6 + away(spot, ...body.map((end) => this.panel.pixels(end))));
    });
  }

  grab(event, i) {
    const grip = this.found[i];
    const before = this.control.values.slice();
    const follow = (at, start, { done }) => {
      this.control.set(grip.drag(at, start, before, this.control.values), done);
    };
    this.drag(event, this.layer.childNodes[i], follow);
  }

  keys(event, element) {
    const { part, arrows } = this.found[this.indexOf(element)];
    const step = (number, count) => () => this.control.step(number, count, event.shiftKey);
    if (arrows) {
      const [across, up] = arrows.map((number) => [step(number, -1), step(number, 1)]);
      return { ArrowLeft: across[0], ArrowRight: across[1], ArrowDown: up[0], ArrowUp: up[1] };
    }
    const ways = [-1, 1, -Infinity, Infinity].map((count) => step(part, count));
    return { ...wayKeys(...ways), PageDown: step(part, -5), PageUp: step(part, 5) };
  }
}

/** A curve along which the hand moves a control: its places stand for positions of the control. */
class TrackGrips extends Grips {
  constructor(view, panel, control) {
    const label = `${control.spec.label}, on the curve`;
    super(view, panel, control, label);
    const named = { role: "slider", tabindex: 0, "aria-label": label };
    const parts = [svg("path", { class: "lm-body" }), svg("g", {}, ...knobParts())];
    this.element = this.grip(named, ...parts);
    this.layer.append(this.element);
    (control.tracks ??= []).push(this);
  }

  update() {
    const { x, y } = this.panel.arrays(this.mark);
    const at = this.view.slots.get(`p${this.panel.index}.m${this.mark}/at`);
    this.places = Array.from(x, (u, i) => [...this.panel.at(u, y[i]), at ? at[i] : i]);
    this.upright = this.places.every(([px], i) => i === 0 || px >= this.places[i - 1][0]);
    const [body, knob] = this.element.childNodes;
    body.setAttribute("d", through(this.places.map(([px, py]) => [px, py])));
    const i = this.number;
    this.element.style.display = this.places.length ? "" : "none";
    if (!this.places.length) return;
    this.at = this.places[i];
    moveTo(knob, this.at.slice(0, 2));
    const [from, to] = [this.places[Math.max(0, i - 1)], this.places[i + 1] ?? this.at];
    pointAlong(knob, [to[0] - from[0], to[1] - from[1]]);
    say(this.element, this.places[0][2], this.places.at(-1)[2], this.control.position);
  }

  /** The place where the control stands. */
  get number() {
    const { position } = this.control;
    return Math.max(0, this.places.findLastIndex(([, , value]) => value <= position));
  }

  distances(spot) {
    if (!this.places.length) return [];
    const pieces = this.places.map((to, i) => away(spot, this.places[Math.max(0, i - 1)], to));
    const [x, y] = this.at;
    return [Math.min(Math.hypot(spot.px - x, spot.py - y), 6 + Math.min(...pieces))];
  }

  grab(event) {
    const follow = ({ px, py }) => {
      const far = ([x, y]) => Math.hypot(px - x, this.upright ? 0 : py - y);
      const nearest = this.places.reduce((best, some) => (far(some) < far(best) ? some : best));
      if (nearest[2] !== this.control.position) this.control.goTo(nearest[2]);
    };
    this.drag(event, this.element, follow, follow);
  }

  keys() {
    const values = this.places.map(([, , value]) => value);
    const i = this.number;
    const go = (k) => () => this.control.goTo(values[Math.max(0, Math.min(k, values.length - 1))]);
    return wayKeys(go(i - 1), go(i + 1), go(0), go(Infinity));
  }
}
