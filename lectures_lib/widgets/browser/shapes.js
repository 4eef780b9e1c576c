// How each kind of shape is drawn: one function for each kind; svg.py has the same names.

const LEVELS = 32; // steps of the grey and diverging scales; marks.py has the same

// Each is given an empty <g>, the arrays, the style, a box with X and Y (panel units to pixels).

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
function marker(name, size) {
  return View.markers[name].replaceAll(/([mla])([^mlaz]*)/g, (_, command, numbers) => {
    const flag = (i) => command === "a" && i > 1 && i < 5; // of an arc: not a length
    return command + numbers.split(" ").map((n, i) => (flag(i) ? n : place(n * size))).join(" ");
  });
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
      const [left, right] = [x[i], x1[i]].map((u) => place(box.X(u)));
      const [low, high] = [y[i], y1[i]].map((v) => place(box.Y(v)));
      path += `M${left} ${low}V${high}H${right}V${low}Z`;
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
        const [left, right] = [edgesX[from], edgesX[column]];
        const cell = `M${left} ${edgesY[row]}H${right}V${edgesY[row + 1]}H${left}Z`;
        paths.set(level, (paths.get(level) ?? "") + cell);
      }
    }
    for (const [level, d] of paths) {
      const fill = `fill: ${scaleColour(style.scale, level)}`;
      group.append(svg("path", { d, style: fill, "shape-rendering": "crispEdges" }));
    }
  },

  image(group, { values }, style, box) {
    const href = style.href ?? address(values, style); // a recording has the address at once
    const [x0, x1, y0, y1] = [...style.x.map(box.X), ...style.y.map(box.Y)];
    const flip = `translate(${x0} ${y0}) scale(${Math.sign(x1 - x0)} ${Math.sign(y1 - y0)})`;
    const size = { width: Math.abs(x1 - x0), height: Math.abs(y1 - y0), transform: flip };
    const look = { preserveAspectRatio: "none", style: "image-rendering: pixelated" };
    group.append(svg("image", { href, ...size, ...look }));
  },

  text(group, { x, y }, style, box) {
    style.words.forEach((word, i) => {
      const at = { x: place(box.X(x[i]) + style.shift[0]), y: place(box.Y(y[i]) - style.shift[1]) };
      group.append(words(word, at, style.size, style.colour, style.anchor));
    });
  },
};

/** Pixels, each with red, green and blue, as the address of an image. */
function address(values, { columns, rows }) {
  const canvas = html("canvas", { width: columns, height: rows });
  const pixels = new ImageData(columns, rows);
  for (let i = 0, j = 0; i < values.length; i += 3, j += 4) {
    pixels.data.set([values[i], values[i + 1], values[i + 2], 255], j);
  }
  canvas.getContext("2d").putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}

/** Kinds that may reach over the frame; all others are cut off there. */
const UNCUT = new Set(["points", "text"]);

function words(text, { x, y, transform }, size, name, anchor) {
  const at = { x: place(x), y: place(y), ...(transform ? { transform } : {}) };
  const halo = { stroke: colour("paper"), "stroke-width": 3, "paint-order": "stroke" };
  const font = { "font-size": size, "text-anchor": anchor, "dominant-baseline": "central" };
  const look = { fill: colour(name), "stroke-linejoin": "round", ...halo };
  return svg("text", { ...at, ...font, ...look }, text);
}

function edges([from, to], count, toPixels) {
  const at = (i) => place(toPixels(from + ((to - from) * i) / count));
  return Array.from({ length: count + 1 }, (_, i) => at(i));
}

function scaleColour(scale, level) {
  const mixed = (name, share) =>
    `color-mix(in srgb, ${colour(name)} ${place(100 * share)}%, ${colour("paper")})`;
  if (scale === "classes") return mixed(`class${level}`, 0.32);
  const share = level / LEVELS;
  if (scale === "grey") return mixed("ink", share);
  return mixed(share >= 0.5 ? "class1" : "class0", Math.abs(2 * share - 1));
}
