// The scene as slots: plain data or one array each; and tables of scenes that were sent ahead.

const TYPES = { f: Float32Array, b: Uint8Array, h: Uint16Array, q: Int16Array };
const QUANTUM = 12000; // 16-bit positions: steps in one panel unit; frames.py has the same
const NOWHERE = -32768; // a 16-bit NaN

/** The value of a packed slot: plain data, or the array that {a: [type, offset, length]} names. */
function unpack(value, bytes) {
  if (value === null || typeof value !== "object" || !value.a) return value;
  const [type, offset, length] = value.a;
  const array = new TYPES[type](bytes, offset, length);
  if (type !== "q") return array;
  return Float32Array.from(array, (v) => (v === NOWHERE ? NaN : v / QUANTUM));
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

  /** The slots for a whole position of each control; `undefined` where a slot does not exist. */
  row(positions) {
    const number = positions.reduce((sum, at, i) => sum * this.sizes[i] + (at % this.sizes[i]), 0);
    const start = number * this.slots.length;
    return this.slots.map((slot, j) => [slot, this.items[j][this.rows[start + j]]]);
  }

  /** The same for positions between whole ones: the nearest scene, its shapes slid to the place. */
  at(positions, present) {
    const near = this.row(positions.map(Math.round));
    const between = positions.findIndex((at) => Math.abs(at - Math.round(at)) > 1e-6);
    if (between < 0) return near;
    const floor = Math.floor(positions[between]);
    const neighbour = (at) => this.at(positions.map((p, i) => (i === between ? at : p)), present);
    const [before, after] = [new Map(neighbour(floor)), new Map(neighbour(floor + 1))];
    const slid = slideAll(before, after, positions[between] - floor, present);
    return near.map(([slot, value]) => [slot, slid.get(slot) ?? value]);
  }
}

/** A number as positions in lists of these lengths, the last one fastest. */
function digits(number, sizes) {
  const found = sizes.toReversed().map((size) => {
    const at = number % size;
    number = (number - at) / size;
    return at;
  });
  return found.reverse();
}
