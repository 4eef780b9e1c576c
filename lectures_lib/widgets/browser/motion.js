// What lies between two drawings of the same shape: geometry of what Python has computed.

const PLACED = ["x", "y", "x1", "y1"];
const ARRAYS = [...PLACED, "group", "values"];
const GLIDE = 300; // milliseconds from one scene to the next
const FAR = 0.3; // panel units: neighbouring scenes whose shapes lie farther apart are not joined

const eachArray = (read) => Object.fromEntries(ARRAYS.map((key) => [key, read(key)]));
const arraysOf = (mark, read) => eachArray((key) => read(`${mark}/${key}`));

/** The arrays between a and b, or null when the shapes do not correspond. */
function slide(a, b, share, { kind, style }) {
  if (style.still || !a.x || !b.x || a.values || a.x.length !== b.x.length) return null;
  if (a.group && !(b.group && a.group.every((of, i) => of === b.group[i]))) return null;
  const slid = { ...b };
  for (const key of PLACED) {
    if (a[key]) slid[key] = a[key].map((v, i) => v + share * (b[key][i] - v));
  }
  if (style.rigid || kind === "arrow") turn(slid, a, b, share);
  return slid;
}

/** Pieces that turn keep their form: each is slid in the frame of its first two points. */
function turn(slid, a, b, share) {
  for (const [from, to] of pieces(a.x)) {
    if (to - from < 2) continue;
    const [p, q] = [frameOf(a, from), frameOf(b, from)];
    if (!(p.length > 1e-6 && q.length > 1e-6)) continue;
    let angle = q.angle - p.angle;
    angle -= 2 * Math.PI * Math.round(angle / (2 * Math.PI));
    const mix = (key) => p[key] + share * (q[key] - p[key]);
    const [x, y, length, turned] = [mix("x"), mix("y"), mix("length"), p.angle + share * angle];
    const [u, v] = [length * Math.cos(turned), length * Math.sin(turned)];
    for (let i = from; i < to; i++) {
      const there = inFrame(q, b, i);
      const [along, across] = inFrame(p, a, i).map((at, k) => at + share * (there[k] - at));
      slid.x[i] = x + along * u - across * v;
      slid.y[i] = y + along * v + across * u;
    }
  }
}

function pieces(x) {
  const found = [];
  let from = 0;
  for (let i = 0; i <= x.length; i++) {
    if (i < x.length && !Number.isNaN(x[i])) continue;
    found.push([from, i]);
    from = i + 1;
  }
  return found;
}

function frameOf({ x, y }, i) {
  const [dx, dy] = [x[i + 1] - x[i], y[i + 1] - y[i]];
  const middle = { x: x[i] + dx / 2, y: y[i] + dy / 2 };
  return { ...middle, length: Math.hypot(dx, dy), angle: Math.atan2(dy, dx) };
}

function inFrame({ x, y, length, angle }, arrays, i) {
  const [u, v] = [Math.cos(angle) / length, Math.sin(angle) / length];
  const [dx, dy] = [arrays.x[i] - x, arrays.y[i] - y];
  return [dx * u + dy * v, dy * u - dx * v];
}

/** All array slots between two scenes; those that do not correspond are left out. `present` reads
 * the scene that is shown. */
function slideAll(before, after, share, present) {
  const slid = new Map();
  const arrays = [...after.keys()].filter((slot) => slot.includes("/"));
  const marks = new Set(arrays.map((slot) => slot.split("/")[0]));
  for (const mark of marks) {
    const [a, b] = [before, after].map((slots) => arraysOf(mark, (slot) => slots.get(slot)));
    const style = after.get(mark) ?? present(mark);
    for (const key of ARRAYS) {
      if (after.has(`${mark}/${key}`)) continue; // it never varies, so it is not in the table
      a[key] = b[key] = present(`${mark}/${key}`);
    }
    const found = style && slide(a, b, share, style);
    if (!found || farthest(a, b) > FAR) continue;
    for (const key of PLACED) if (found[key]) slid.set(`${mark}/${key}`, found[key]);
  }
  return slid;
}

function farthest(a, b) {
  const apart = (key) => Array.from(a[key], (v, i) => Math.abs(v - b[key][i]));
  return [...apart("x"), ...apart("y")].reduce((most, d) => (d > most ? d : most), 0);
}

/** Whether the reader likes to see things move. */
const moves = () => !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
