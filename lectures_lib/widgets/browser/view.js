// The view: everything together, and the moves.
const CHROME = 101; // pixels of a window that JupyterLab keeps for itself

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
    this.body = html("div", { class: "lm-body" });
    this.error = html("div", { class: "lm-error", role: "alert" });
    this.legend = html("div", { class: "lm-legend" });
    this.readouts = html("dl", { class: "lm-readouts" });
    this.sentence = html("p", { class: "lm-sentence" });
    this.note = html("p", { class: "lm-note", role: "status" });
    this.status = html("div", { class: "lm-hidden", role: "status" });
    for (const [name, spec] of this.model.get("_controls")) {
      this.controls.set(name, new CONTROLS[spec.kind](this, name, spec));
    }
    // What goes on step by step is the main action and stands next to the picture.
    const last = (control) => !(control instanceof Steps);
    const first = [...this.controls.values()].sort((a, b) => last(a) - last(b));
    const folded = first.filter(({ spec }) => spec.held && !spec.names);
    const helps = first.flatMap(({ help }) => help ?? []);
    this.twins = folded.length + helps.length ? new Twins(folded, helps) : null;
    const open = first.filter((control) => !folded.includes(control));
    const parts = open.filter(last).map(({ root }) => root);
    if (this.twins) parts.push(this.twins.root);
    const main = open.filter((control) => !last(control)).map(({ root }) => root);
    this.main = html("div", { class: "lm-main" }, ...main);
    this.slides = open.some((control) => control instanceof Slider);
    const named = { class: "lm-controls", role: "group", "aria-label": "Controls" };
    this.desk = html("div", named, ...parts);
    const beside = [this.error, this.legend, this.readouts, this.desk];
    this.below = html("div", { class: "lm-below" }, ...beside);
    const all = [this.body, this.sentence, this.note, this.status];
    this.root = html("div", { class: "lm", hidden: "" }, ...all);
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
    const image = `.static-fallback[data-live="${this.model.get("_fallback")}"]`;
    for (let node = this.el; node && node !== document.body; node = node.parentElement) {
      for (let at = node.previousElementSibling; at; at = at.previousElementSibling) {
        const found = at.matches(image) ? at : at.querySelector(image);
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
    cancelAnimationFrame(this.frame);
    for (const control of this.controls.values()) clearInterval(control.timer);
    this.model.off("msg:custom");
    if (this.fallback) this.fallback.style.display = "";
    this.root.remove();
  }

  // What the scene says, slot by slot. Only what changed is drawn again.

  fill(packed, view, glide) {
    const bytes = ownBytes(view);
    this.update(Object.entries(packed).map(([slot, value]) => [slot, unpack(value, bytes)]), glide);
  }

  /** Where all controls stand in their lists, those before one of them, or all. */
  positions(before = null) {
    const all = [...this.controls.values()];
    const some = before ? all.slice(0, all.indexOf(before)) : all;
    return some.flatMap((control) => control.positions ?? control.position);
  }

  fillRow(glide) {
    this.update(this.table.at(this.positions(), (slot) => this.slots.get(slot)), glide);
  }

  update(entries, glide = false) {
    const changed = new Set();
    for (const [slot, value] of entries) {
      if (value === undefined || this.slots.get(slot) === value) continue;
      this.slots.set(slot, value);
      changed.add(slot.split("/")[0]);
    }
    if (this.drawn) this.draw(changed, glide);
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
    const least = this.slots.get("p0").frame ? 210 : 130; // pixels of a panel
    while (row > 1 && (room - 8 * (row - 1)) / row < least) row--;
    const widest = PANEL_WIDTHS[Math.min(row, 4)];
    const width = Math.floor(Math.min((room - 8 * (row - 1)) / row, widest));
    this.arrange(stacks, row === 1);
    this.steady(() => "");
    this.drawPanels(width);
    const screen = window.innerHeight - CHROME;
    const fit = (height) => [1, 0.9, 0.8, 0.7, 0.6].some((share) => {
      if (share < 1 && share * width < least + 35) return false; // nobody could read it
      this.drawPanels(Math.floor(share * width));
      return height() <= screen;
    });
    const bottoms = () => this.panels.map(({ root }) => root.getBoundingClientRect().bottom);
    const pictures = () => Math.max(...bottoms()) - this.body.getBoundingClientRect().top;
    // Controls and all; or, with the hand on the picture, what it moves.
    const fits = fit(() => this.body.offsetHeight) || (!this.slides && fit(pictures));
    if (!fits) this.drawPanels(width);
    this.name();
    this.steady();
  }

  drawPanels(width) {
    this.width = width;
    for (const panel of this.panels) panel.draw(width);
  }

  /** A column for each stack of panels; nothing moves while the stacks stay the same. Where only
   * one column fits, the hand and what it moves stay together: sliders follow the first panel; a
   * hand on the picture has what it moves right below, and the controls at the end. */
  arrange(stacks, narrow) {
    const key = JSON.stringify([stacks, narrow]);
    if (key === this.arranged) return;
    this.arranged = key;
    this.panels = stacks.flat().map((i) => this.panels[i] ?? new Panel(this, i));
    const roots = (stack) => stack.map((i) => this.panels[i].root);
    const held = narrow && !this.slides;
    const upper = stacks.map(([first]) => [first]);
    const order = held ? [...upper, ...stacks.map(([, ...others]) => others)] : stacks;
    const columns = order.map((stack) => html("div", { class: "lm-stack" }, ...roots(stack)));
    const place = narrow && this.slides ? 1 : columns.length;
    this.desk.prepend(this.main);
    this.body.replaceChildren(...columns.slice(0, place), this.below, ...columns.slice(place));
    if (held) columns[0].after(this.main);
  }

  /** Texts keep the height that they once had, so that the page below stands still. */
  steady(height = (part) => `${part.offsetHeight}px`) {
    for (const part of [this.readouts, this.sentence, this.legend]) {
      part.style.minHeight = height(part);
    }
  }

  draw(changed, glide) {
    if (changed.has("scene")) return this.drawAll();
    const whole = new Set();
    for (const slot of changed) {
      const [, index, part] = /^p(\d+)(?:\.(.*))?$/.exec(slot) ?? [];
      const panel = this.panels[index];
      if (!panel || whole.has(panel)) continue;
      if (part === "keys") panel.drawLegend();
      else if (part) {
        const j = Number(part.slice(1));
        panel.drawMark(j, glide);
        panel.grips.find((group) => group.mark === j && group instanceof PointGrips)?.tell();
      }
      else {
        panel.draw(this.width);
        whole.add(panel);
      }
    }
    if (changed.has("sentence") || whole.size) this.name();
    return undefined;
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
    if (changed.has("error")) {
      this.error.textContent = this.slots.get("error") ?? "";
      this.root.classList.toggle("lm-failed", this.slots.get("error") !== null);
    }
    if (changed.has("readouts")) {
      const pair = ([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value));
      this.readouts.replaceChildren(...this.slots.get("readouts").map(pair));
    }
    for (const control of this.controls.values()) control.show();
    this.twins?.show();
    for (const { box, grips } of this.panels) {
      const follow = grips.filter((one) => one instanceof TrackGrips || one instanceof HeldGrips);
      if (box) for (const group of follow) group.update();
    }
    if (this.drawn && changed.has("sentence")) this.announce();
    if (this.drawn) this.steady();
  }

  /** Speak the sentence once the hand rests. */
  announce() {
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => (this.status.textContent = this.slots.get("sentence")), 700);
  }

  /** Draw what lies between two drawings of a mark, until the second is reached. */
  glideTo(panel, j, from, to) {
    this.gliding ??= new Map();
    this.gliding.set(`${panel.index} ${j}`, { panel, j, from, to, begin: performance.now() });
    if (!this.frame) this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    for (const [key, { panel, j, from, to, begin }] of this.gliding) {
      const time = Math.max(0, Math.min(1, (now - begin) / GLIDE));
      if (time === 1) this.gliding.delete(key);
      const share = time * time * (3 - 2 * time);
      panel.paint(j, (time < 1 && slide(from, to, share, panel.mark(j))) || to);
    }
    this.frame = this.gliding.size ? requestAnimationFrame((next) => this.tick(next)) : 0;
  }

  /** What some marks look like for values of a control, the others as they are: from the table, or
   * a promise of Python's answer, which has all values. */
  variants(control, values, marks) {
    if (!this.table) {
      this.post({ kind: "variants", view: this.id, name: control.name, marks });
      return new Promise((resolve) => (this.answered = resolve));
    }
    const start = this.positions(control).length;
    const sizes = this.table.sizes.slice(start, start + (control.positions?.length ?? 1));
    const now = this.positions().map(Math.round);
    return values.map((k) => {
      now.splice(start, sizes.length, ...digits(k, sizes));
      const row = new Map(this.table.row(now));
      return marks.map((mark) => arraysOf(mark, (slot) => row.get(slot) ?? this.slots.get(slot)));
    });
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

  /** The groups of grips in a panel: those that stand already, and new ones. */
  gripsOf(panel) {
    const wanted = []; // control, kind of grips, number of its mark
    for (const control of this.controls.values()) {
      const { kind, on = [] } = control.spec;
      if (kind === "hand" && control.spec.panel === panel.index) wanted.push([control, HandGrips]);
      for (const [index, j, where] of on) {
        if (index === panel.index) wanted.push([control, HeldGrips, j, where]);
      }
    }
    for (let j = 0; j < panel.header.marks; j++) {
      const { kind, style } = this.slots.get(`p${panel.index}.m${j}`) ?? { style: {} };
      const control = this.controls.get(style.handle);
      if (control) wanted.push([control, kind === "points" ? PointGrips : TrackGrips, j]);
    }
    const former = panel.grips.slice();
    const grips = wanted.map(([control, Kind, j, where]) => {
      const own = (some) => some.control === control && some instanceof Kind;
      const same = (some) => Kind !== HeldGrips || (some.mark === j && some.where === where);
      const at = former.findIndex((some) => own(some) && same(some));
      const [found] = at < 0 ? [new Kind(this, panel, control, j)] : former.splice(at, 1);
      return Object.assign(found, { mark: j, where });
    });
    for (const gone of former) gone.layer.remove();
    return grips;
  }

  redrawHandles(name, only) {
    for (const panel of this.panels) {
      if (!panel.box) continue;
      for (let j = 0; j < panel.header.marks; j++) {
        if (this.slots.get(`p${panel.index}.m${j}`)?.style.handle === name) panel.drawMark(j);
      }
      const own = panel.grips.filter(({ control }) => control.name === name);
      const grips = own.find((some) => some instanceof PointGrips);
      if (only === null) grips?.draw();
      else grips?.put(only);
    }
  }

  // Moves: at once from the table, or one at a time through Python, the latest wins.

  /** `glide`: the scene follows the present one by one step, so what moves is seen moving. */
  move(name, value, glide = false) {
    this.values[name] = value;
    this.controls.get(name).show();
    this.twins?.show();
    this.model.set(name, value);
    if (this.table) {
      this.fillRow(glide);
      this.model.save_changes();
    } else {
      this.pending.values[name] = value;
      this.pending.glide = glide;
      this.send();
    }
  }

  /** A hand on the picture: scenes that were sent ahead slide with it, and snap when it lets go. */
  hold(name, free, snapped, done) {
    if (!this.table) return this.move(name, free);
    this.values[name] = done ? snapped : free;
    this.controls.get(name).show();
    this.twins?.show();
    this.fillRow();
    if (JSON.stringify(this.model.get(name)) === JSON.stringify(snapped)) return undefined;
    this.held = name; // the change is our own
    this.model.set(name, snapped);
    this.held = null;
    this.model.save_changes();
    return undefined;
  }

  sendEdit(name, edit) {
    const edits = (this.pending.edits[name] ??= []);
    const last = edits.at(-1);
    if (edit[0] === "move" && last?.[0] === "move" && last[1] === edit[1]) edits.pop();
    edits.push(edit);
    this.send();
  }

  send() {
    const { values, edits, glide } = this.pending;
    if (this.waiting || !(Object.keys(values).length + Object.keys(edits).length)) return;
    this.pending = { values: {}, edits: {} };
    this.glide = glide;
    this.waiting = ++this.moves;
    this.post({ kind: "move", view: this.id, n: this.waiting, values, edits });
    const late = "Waiting for Python … If no answer comes, run the cell again.";
    this.patience = setTimeout(() => (this.note.textContent = late), 2000);
  }

  post(message) {
    try {
      this.model.send(message);
    } catch {
      this.note.textContent = "Python does not answer: run the cell again.";
    }
  }

  receive(message, buffers) {
    const mine = message.view === this.id;
    if (message.kind === "variants" && mine) {
      const bytes = ownBytes(buffers[0]);
      const found = (packed) => (packed ? unpack(packed, bytes) : undefined);
      const read = (arrays) => eachArray((key) => found(arrays[key]));
      this.answered(message.rows.map((row) => row.map(read)));
    }
    if (message.kind !== "scene") return;
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
    const answer = mine && message.n === this.waiting;
    this.fill(message.slots, buffers[0], answer && this.glide);
    if (this.root.hidden) this.wake();
    if (answer) {
      clearTimeout(this.patience);
      this.note.textContent = "";
      this.waiting = 0;
      this.send();
    }
  }

  /** Python, another view or a linked widget set a value. */
  changedOutside(name) {
    const value = this.model.get(name);
    const same = JSON.stringify(this.values[name]) === JSON.stringify(value);
    if (same || name === this.held || name in this.pending.values) return;
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
