// A mark that is held where it is drawn. Nothing is solved here: of the drawings for all values of
// its control, the one that comes nearest to the hand is taken.

/** Places of a mark by their names: the number of a vertex, or of what stands there. */
const PLACES = {
  top: ({ x, y }) => best(x, (i) => y[i]),
  foot: ({ x, y }) => best(x, (i) => -y[i]),
  start: ({ x }) => best(x, (i) => -i),
  end: ({ x }) => best(x, (i) => i),
  // where a bell has fallen to 0.6 of its height: one standard deviation from its middle
  flank({ x, y }) {
    const top = PLACES.top({ x, y });
    const low = Math.min(...y.filter(Number.isFinite));
    return best(x, (i) => (i < top ? -Infinity : -Math.abs(y[i] - low - 0.6065 * (y[top] - low))));
  },
};

function best(x, score) {
  let found = -1;
  for (let i = 0; i < x.length; i++) {
    if (!Number.isNaN(x[i]) && (found < 0 || score(i) > score(found))) found = i;
  }
  return found;
}

/** The smallest rectangle around some places. */
function bounds(places) {
  const [across, down] = [0, 1].map((k) => places.map((at) => at[k]));
  const [left, right] = [Math.min(...across), Math.max(...across)];
  return { left, right, top: Math.min(...down), bottom: Math.max(...down) };
}

class HeldGrips extends Grips {
  constructor(view, panel, control, mark) {
    super(view, panel, control, `${control.spec.label}, on the picture`);
    this.mark = mark;
    this.knob = svg("g", {}, ...knobParts(this.kind === "points"));
    this.body = svg("path", { class: "lm-body" });
    const label = { "aria-label": `${control.spec.label}, on the picture` };
    this.element = this.grip(label, this.body, this.knob);
    this.layer.append(this.element);
    this.first = !control.grip; // the others are reached by the hand only
    control.grip = this;
    this.taps = control.spec.kind === "toggle";
  }

  get kind() {
    return this.panel.mark(this.mark)?.kind;
  }

  /** Whichever of several points or arrows the hand takes. */
  get any() {
    return this.where === null && (this.kind === "points" || this.kind === "arrow");
  }

  /** What is held, as corners in pixels; NaN between two pieces. */
  corners(arrays) {
    const { x, y, x1, y1 } = arrays;
    const at = (u, v) => this.panel.at(u, v);
    const i = this.where;
    if (this.kind === "bars") {
      const [u, v, u1, v1] = [x, y, x1, y1].map((some) => some[i]);
      return i in x ? [at(u, v1), at(u1, v1), at(u1, v), at(u, v)] : [];
    }
    const all = Array.from(x ?? [], (u, k) => at(u, y[k]));
    if (!this.block) return all;
    const [from, to] = pieces(x ?? [])[i] ?? [0, 0];
    return all.slice(from, to);
  }

  /** A bar, or a piece of an area: held anywhere inside, its knob at its top. */
  get block() {
    return this.kind === "bars" || (this.kind === "area" && Number.isInteger(this.where));
  }

  /** The place of the knob: of the vertex `i`, of the place asked for, or of some middle. */
  place(arrays, corners, i = this.where) {
    if (this.block) {
      const { left, right, top } = bounds(corners);
      return corners.length ? [left + 0.85 * (right - left), top] : null; // the middle has a number
    }
    if (typeof i === "string") i = PLACES[i](arrays);
    if (i === null) {
      const there = (k) => this.seen(corners[k]) && (this.kind !== "arrow" || k % 3 === 1);
      const seen = Array.from(corners.keys()).filter(there);
      i = seen[Math.floor(seen.length / 2)];
      if (this.kind === "path" && corners.length === 2) return this.middle(corners);
    }
    return corners[i] ?? null;
  }

  /** The middle of what is seen of a line. */
  middle([from, to]) {
    const all = Array.from({ length: 41 }, (_, k) => mix(from, to, k / 40));
    const points = all.filter((point) => this.seen(point));
    return points[Math.floor(points.length * 0.4)] ?? null;
  }

  seen([px, py]) {
    const { left, top, w, h } = this.panel.box;
    return px >= left - 1 && px <= left + w + 1 && py >= top - 1 && py <= top + h + 1;
  }

  update() {
    const arrays = this.panel.arrays(this.mark);
    this.shown = this.corners(arrays);
    this.at = this.place(arrays, this.shown);
    const there = this.at && this.seen(this.at);
    this.element.style.display = there ? "" : "none";
    if (!there) return;
    moveTo(this.knob, this.at);
    if (this.view.table) pointAlong(this.knob, this.way());
    const hidden = this.taps || (this.block && !this.first);
    this.knob.style.display = hidden ? "none" : "";
    const area = this.block;
    const dots = this.kind === "points";
    const outlined = typeof this.where !== "string" && (!dots || this.any);
    let pen = "M";
    const d = this.shown.map(([px, py]) => {
      const gap = Number.isNaN(px + py);
      const step = gap ? "" : `${pen}${place(px)} ${place(py)}${dots ? "h0" : ""}`;
      pen = gap || dots ? "M" : "L";
      return step;
    });
    this.body.setAttribute("d", outlined ? d.join("") + (area ? "Z" : "") : "");
    this.body.classList.toggle("lm-area", area);
    this.body.classList.toggle("lm-tap", this.taps);
    const { control } = this;
    set(this.element, { role: this.taps ? "switch" : "slider", tabindex: this.first ? 0 : -1 });
    if (!this.first) this.element.setAttribute("aria-hidden", "true");
    if (this.taps) return this.element.setAttribute("aria-checked", Boolean(control.position));
    const text = control.said.map(([, words]) => words).join(", ");
    return say(this.element, 0, this.count - 1, this.number, text);
  }

  /** From where the mark stands for the value before this one to where it does for the next. */
  way() {
    const all = { lo: 0, hi: this.count - 1 };
    const values = [-1, 1].map((step) => inside(all, this.number + step));
    const found = this.view.variants(this.control, values, [this.name]);
    const [from, to] = found.map(([arrays]) => this.place(arrays, this.corners(arrays)));
    const far = from && to && Math.hypot(to[0] - from[0], to[1] - from[1]) > 0.5;
    return far ? [to[0] - from[0], to[1] - from[1]] : null;
  }

  get name() {
    return `p${this.panel.index}.m${this.mark}`;
  }

  get number() {
    return this.control.place ?? this.control.position;
  }

  get count() {
    const { values, names, parts } = this.control.spec;
    if (parts) return parts.reduce((all, part) => all * part.values.length, 1);
    return values?.length ?? names?.length ?? (this.taps ? 2 : this.control.end.last + 1);
  }

  distances(spot) {
    if (this.element.style.display) return [];
    const knob = Math.hypot(spot.px - this.at[0], spot.py - this.at[1]);
    if (typeof this.where === "string") return [knob];
    const along = 6 + this.away(spot, this.shown);
    if (this.kind === "points" && this.any) return [this.nearest(spot).distance];
    if (this.any) return [Math.min(this.nearest(spot).distance, along)];
    return [Math.min(knob, this.block && this.inside(spot) ? 8 : Infinity, along)];
  }

  inside({ px, py }) {
    const { left, right, top, bottom } = bounds(this.shown);
    return left <= px && px <= right && top <= py && py <= bottom;
  }

  away(spot, corners) {
    let least = Infinity;
    for (let i = 1; i < corners.length; i++) {
      const distance = away(spot, corners[i - 1], corners[i]);
      if (distance < least) least = distance; // NaN is no piece
    }
    return least;
  }

  nearest({ px, py }) {
    let found = { i: 0, distance: Infinity };
    this.shown.forEach(([x, y], i) => {
      const distance = Math.hypot(px - x, py - y);
      if (distance < found.distance) found = { i, distance };
    });
    return found;
  }

  /** How far each drawing is from the hand. A curve goes through it; what has a place keeps the
   * distance that it had when it was taken. */
  measure(start) {
    if (this.where === null && !this.any) return (corners, _, spot) => this.away(spot, corners);
    const i = this.any ? this.nearest(start).i : this.where;
    const from = this.any ? this.shown[i] : this.at;
    const [dx, dy] = [start.px - from[0], start.py - from[1]];
    return (corners, arrays, { px, py }) => {
      const at = this.place(arrays, corners, i);
      return at ? Math.hypot(px - dx - at[0], py - dy - at[1]) : Infinity;
    };
  }

  grab(event) {
    const flip = () => this.control.goTo(1 - this.control.position);
    if (this.taps) return this.drag(event, this.element, () => {}, flip);
    let drawings = null; // what the mark looks like for each value
    let last = null;
    let far = null;
    const follow = (spot, start) => {
      last = [spot, start];
      if (!drawings) return;
      far ??= this.measure(start);
      const distance = drawings.map(({ corners, arrays }, k) => {
        return far(corners, arrays, spot) + 0.02 * Math.abs(k - this.number);
      });
      const nearest = distance.reduce((one, d, k) => (d < distance[one] ? k : one), 0);
      if (nearest !== this.number && distance[nearest] < Infinity) this.control.goTo(nearest);
    };
    const ready = (rows) => {
      const corners = (arrays) => (arrays.x ? this.corners(arrays) : []);
      drawings = rows.map(([arrays]) => ({ arrays, corners: corners(arrays) }));
      if (last) follow(...last);
    };
    const found = this.view.variants(this.control, [...Array(this.count).keys()], [this.name]);
    if (found instanceof Promise) found.then(ready);
    else ready(found);
    return this.drag(event, this.element, follow);
  }

  keys() {
    const go = (k) => () => this.control.goTo(Math.max(0, Math.min(k, this.count - 1)));
    if (this.taps) return { Enter: go(1 - this.number), " ": go(1 - this.number) };
    return wayKeys(go(this.number - 1), go(this.number + 1), go(0), go(Infinity));
  }
}
