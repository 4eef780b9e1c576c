// One panel: its axes, its marks in order, its legend.

const PANEL_WIDTHS = [460, 460, 410, 310, 230]; // by panels in a row; layout.py has the same

/** Where the frame of a panel lies, in pixels; layout.py has the same distances. */
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
    this.shown = []; // what was painted last, mark by mark
    this.root.onpointermove = this.root.onpointerleave = (event) => this.hover(event);
    this.root.onpointerdown = (event) => this.missed(event);
    this.grips = [];
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
    const title = () => words(header.title, { x: middle, y: 16 }, 13, "ink", "middle");
    if (header.title) this.picture.append(title());
    this.marks = [];
    this.shown = [];
    this.root.style.width = `${width}px`;
    if (before) before.replaceWith(this.picture); // what stands beside it keeps the focus
    else this.root.append(this.picture, this.legend);
    for (let j = 0; j < header.marks; j++) this.drawMark(j);
    this.drawLegend();
    this.grips = this.view.gripsOf(this);
    for (const group of this.grips) group.draw();
  }

  /** Pixels of the panel for a place in panel units. */
  at(u, v) {
    const { box } = this;
    return [box.left + box.X(u), box.top + box.Y(v)];
  }

  /** The same for a place in data coordinates. */
  pixels([x, y]) {
    return this.at(unit(this.header.x, x), unit(this.header.y, y));
  }

  /** A place given in pixels, in all units. */
  spot(px, py) {
    const { box, header } = this;
    const [u, v] = [(px - box.left) / box.w, 1 - (py - box.top) / box.h];
    return { px, py, u, v, x: data(header.x, u), y: data(header.y, v) };
  }

  /** The pointer touches something: the nearest grip of all is taken. */
  take(event) {
    if (event.button !== 0) return;
    const best = this.nearest(event);
    best?.group.grab(event, best.i);
  }

  nearest(event) {
    let best = null;
    for (const group of this.grips) {
      group.distances(group.locate(event)).forEach((distance, i) => {
        if (!best || distance < best.distance) best = { group, i, distance };
      });
    }
    return best;
  }

  /** Show which grip would be taken. */
  hover(event) {
    const over = event.buttons === 0 && event.target.closest?.(".lm-handle");
    const best = over ? this.nearest(event) : null;
    const near = best?.group.layer.childNodes[best.i];
    if (near === this.near) return;
    this.near?.classList.remove("lm-near");
    near?.classList.add("lm-near");
    this.near = near;
    for (const group of this.grips) group.tell?.();
  }

  /** A drag that took hold of nothing: show for a moment what can be held. */
  missed(event) {
    this.dragged = false;
    this.root.onpointermove = (next) => this.hover(next); // a tap ends without a move to rest
    if (event.target.closest(".lm-handle") || !this.grips.length) return;
    if (this.grips.some(({ control }) => control.draws)) return; // this drag draws something
    const { clientX, clientY } = event;
    this.root.onpointermove = (next) => {
      if (next.buttons === 0) {
        this.root.onpointermove = (later) => this.hover(later);
        this.hover(next);
      } else if (!this.dragged && Math.hypot(next.clientX - clientX, next.clientY - clientY) >= 8) {
        this.dragged = true;
        this.root.classList.add("lm-show");
        setTimeout(() => this.root.classList.remove("lm-show"), 1200);
      }
    };
  }

  axes(header, box) {
    if (!header.frame) return [];
    const frame = { x: box.left, y: box.top, width: box.w, height: box.h, fill: "none" };
    const parts = [svg("rect", { ...frame, stroke: colour("muted") })];
    const bottom = box.top + box.h;
    const every = (ticks) => (box.w < 200 && ticks.length > 4 ? 2 : 1);
    const few = (ticks) => ticks.filter((_, i) => i % every(ticks) === 0);
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
    const transform = `translate(10 ${place(box.top + box.h / 2)}) rotate(-90)`;
    parts.push(words(header.y.label, { x: 0, y: 0, transform }, 12, "ink", "middle"));
    return parts;
  }

  mark(j) {
    return this.view.slots.get(`p${this.index}.m${j}`);
  }

  /** The arrays of a mark; points of a control are where the hand has put them. */
  arrays(j) {
    const { kind, style } = this.mark(j);
    if (kind === "points" && style.handle) return this.view.handleArrays(style.handle, this.header);
    return arraysOf(`p${this.index}.m${j}`, (slot) => this.view.slots.get(slot));
  }

  drawMark(j, glide = false) {
    const mark = this.mark(j);
    if (!mark || j >= this.header.marks) return;
    const [before, after] = [this.shown[j], this.arrays(j)];
    this.view.gliding?.delete(`${this.index} ${j}`);
    const alike = before?.kind === mark.kind && before.style === JSON.stringify(mark.style);
    if (glide && alike && !mark.style.handle && moves() && slide(before.arrays, after, 0, mark)) {
      this.view.glideTo(this, j, before.arrays, after);
    } else {
      this.paint(j, after);
    }
  }

  paint(j, arrays) {
    const mark = this.mark(j);
    const { box } = this;
    const cut = UNCUT.has(mark.kind) ? "visible" : "hidden";
    const area = { x: box.left, y: box.top, width: box.w, height: box.h, overflow: cut };
    const group = svg("svg", { ...area, "data-mark": mark.kind });
    DRAW[mark.kind](group, arrays, mark.style, box);
    if (this.marks[j]) this.marks[j].replaceWith(group);
    else this.picture.append(group);
    this.marks[j] = group;
    this.shown[j] = { kind: mark.kind, style: JSON.stringify(mark.style), arrays };
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
