// Questions that are answered by a click, a number or a place in a picture. The answer is written
// into the cell that assigns it, where the notebook keeps it, and sent to Python, which judges it
// as it would judge the cell. choices.py puts basics.js before this file.

/** The text editor of a code cell, or undefined: JupyterLab has no other way to it from here. */
function editorOf(cell) {
  const content = cell.querySelector(".cm-content");
  const part = content?.cmTile ?? content?.cmView;
  return part?.root?.view ?? part?.rootView?.view;
}

/** The nearest cell, this one or above, that assigns one of the names, as its editor. */
function answerCell(el, names) {
  const one = `(?:${names.join("|")})`;
  const assigns = new RegExp(`^\\s*(?:\\w+\\s*,\\s*)*${one}\\b[\\w\\s,]*=(?!=)`, "m");
  let cell = el.closest(".jp-Cell");
  for (; cell; cell = cell.previousElementSibling) {
    const editor = cell.classList.contains("jp-CodeCell") && editorOf(cell);
    if (editor && assigns.test(editor.state.doc.toString())) return editor;
  }
  return undefined;
}

/** The source of the answer cell with these values, as code, in place of those before. */
function withValues(source, code) {
  const [names, values] = [Object.keys(code), Object.values(code)];
  const together = new RegExp(`^${names.join("\\s*,\\s*")}\\s*=.*$`, "m");
  const all = `${names.join(", ")} = ${values.join(", ")}`;
  if (together.test(source)) return source.replace(together, all);
  return names.reduce((text, name, k) => {
    const line = new RegExp(`^${name}\\s*=(?!=).*$`, "m");
    const assigned = `${name} = ${values[k]}`;
    return line.test(text) ? text.replace(line, assigned) : `${text.trimEnd()}\n${assigned}`;
  }, source);
}

function write(el, code) {
  const editor = answerCell(el, Object.keys(code));
  if (!editor) return false;
  const insert = withValues(editor.state.doc.toString(), code);
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert } });
  return true;
}

/** An element whose content is HTML. */
const filled = (tag, content, attributes = {}) =>
  Object.assign(html(tag, attributes), { innerHTML: content });

const group = (told, ...children) => html("fieldset", {}, filled("legend", told), ...children);

/** Options: what was chosen, as letters. */
function options({ told, several, chosen, options }) {
  const look = { type: several ? "checkbox" : "radio", name: unique(), ...QUIET };
  const lines = options.map(({ letter, html: words }) => {
    const box = html("input", { ...look, value: letter });
    box.checked = chosen.includes(letter);
    const parts = [box, html("span", { class: "lm-letter" }, letter), filled("span", words)];
    return html("label", { class: "lm-option" }, ...parts);
  });
  const node = group(told, ...lines);
  const given = () => [...node.querySelectorAll("input:checked")].map((box) => box.value).join("");
  return { node, given, code: (letters) => `"${letters}"`, missing: "Choose" };
}

/** One number, or the two of a place, which a click on the picture fills in. */
function numbers({ told, numbers, place }) {
  const node = group(told);
  const fields = (numbers === 1 ? ["number"] : ["x", "y"]).map((name) => {
    const field = html("input", { type: "number", step: "any", ...QUIET });
    node.append(html("label", { class: "lm-number" }, `${name} `, field));
    return field;
  });
  if (place) node.prepend(picture(place, fields));
  const given = () => {
    const values = fields.map((field) => field.valueAsNumber);
    return values.some(Number.isNaN) ? [] : values;
  };
  const code = (values) => (values.length === 1 ? `${values[0]}` : `(${values.join(", ")})`);
  return { node, given, code, missing: "Fill in" };
}

/** The picture; where it is clicked a mark stands, and the fields say where that is. */
function picture({ html: content, width, frame, x: [x0, x1], y: [y0, y1] }, [across, up]) {
  const [left, top, wide, high] = frame;
  const axes = [{ lo: x0, hi: x1 }, { lo: y0, hi: y1 }];
  const box = filled("div", content, { class: "lm-place" });
  const mark = box.appendChild(html("span", { class: "lm-mark", hidden: "" }));
  const put = () => {
    const image = box.querySelector("img");
    const scale = image.clientWidth / width;
    const [u, v] = [across, up].map((field, k) => unit(axes[k], field.valueAsNumber));
    mark.hidden = Number.isNaN(u + v);
    mark.style.left = `${image.offsetLeft + scale * (left + wide * u)}px`;
    mark.style.top = `${image.offsetTop + scale * (top + high * (1 - v))}px`;
  };
  box.addEventListener("click", (event) => {
    const image = box.querySelector("img");
    const { left: from, top: above } = image.getBoundingClientRect();
    const scale = image.clientWidth / width;
    const u = ((event.clientX - from) / scale - left) / wide;
    const v = 1 - ((event.clientY - above) / scale - top) / high;
    [across.value, up.value] = [u, v].map((at, k) => Number(data(axes[k], at).toPrecision(3)));
    put();
  });
  for (const field of [across, up]) field.addEventListener("input", put);
  return box;
}

function render({ model, el }) {
  const questions = model.get("_questions");
  const asked = questions.map((one) => (one.numbers ? numbers(one) : options(one)));
  const many = questions.some((one) => one.numbers) ? "this answer" : "this choice";
  const button = html("button", { type: "button", class: "lm-primary" }, `Check ${many}`);
  const note = html("p", { class: "lm-note", role: "status" });
  const nodes = asked.map(({ node }) => node);
  const form = html("div", { class: "lm lm-choices" }, ...nodes, button, note);
  form.addEventListener("keydown", (event) => {
    // JupyterLab would take Enter
    if (!["Escape", "Tab"].includes(event.key)) event.stopPropagation();
  });
  button.addEventListener("click", () => {
    const given = {};
    const code = {};
    questions.forEach(({ name }, k) => {
      const value = asked[k].given();
      if (!value.length) return;
      given[name] = value;
      code[name] = asked[k].code(value);
    });
    if (Object.keys(given).length < questions.length) {
      const where = questions.length > 1 ? " in each of the questions" : "";
      note.textContent = `${asked[0].missing}${where} first.`;
      return;
    }
    const line = Object.entries(code).map(([name, value]) => `${name} = ${value}`).join("; ");
    note.textContent = write(el, code)
      ? `The cell above now says ${line}`
      : `Write ${line} in the cell above, so that the notebook keeps it.`;
    model.send({ kind: "choice", given });
  });
  el.append(form);
}

export default { render };
