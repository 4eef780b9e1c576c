// Questions that are answered by a click, a number or a place in a picture. The answer is written
// into the cell that assigns it, where the notebook keeps it, and sent to Python, which judges it as
// it would judge the cell.

/** The text editor of a code cell, or undefined: JupyterLab has no other way to it from here. */
function editorOf(cell) {
  const content = cell.querySelector(".cm-content");
  const part = content?.cmTile ?? content?.cmView;
  return part?.root?.view ?? part?.rootView?.view;
}

/** The nearest cell, this one or above, that assigns one of the names, as its editor. */
function answerCell(el, names) {
  const assigns = new RegExp(`^\\s*(?:\\w+\\s*,\\s*)*(?:${names.join("|")})\\b[\\w\\s,]*=(?!=)`, "m");
  let cell = el.closest(".jp-Cell");
  for (; cell; cell = cell.previousElementSibling) {
    const editor = cell.classList.contains("jp-CodeCell") && editorOf(cell);
    if (editor && assigns.test(editor.state.doc.toString())) return editor;
  }
  return undefined;
}

/** The source of the answer cell with these values, as code, in place of those before. */
function withValues(source, code) {
  const names = Object.keys(code);
  const values = Object.values(code);
  const together = new RegExp(`^${names.join("\\s*,\\s*")}\\s*=.*$`, "m");
  if (together.test(source)) return source.replace(together, `${names.join(", ")} = ${values.join(", ")}`);
  names.forEach((name, k) => {
    const line = new RegExp(`^${name}\\s*=(?!=).*$`, "m");
    const assigned = `${name} = ${values[k]}`;
    source = line.test(source) ? source.replace(line, assigned) : `${source.trimEnd()}\n${assigned}`;
  });
  return source;
}

function write(el, code) {
  const editor = answerCell(el, Object.keys(code));
  if (!editor) return false;
  const insert = withValues(editor.state.doc.toString(), code);
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert } });
  return true;
}

function made(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

/** Options: what was chosen, as letters. */
function options({ name, told, several, chosen, options }, group) {
  const kind = several ? "checkbox" : "radio";
  const lines = options.map(({ letter, html }) => {
    const box = made("input", { type: kind, name: `${group}-${name}`, value: letter, checked: chosen.includes(letter) });
    box.dataset.lmSuppressShortcuts = "true"; // or JupyterLab takes the arrow keys away
    const words = made("span", { innerHTML: html });
    return made("label", { className: "lm-option" }, box, made("span", { className: "lm-letter", textContent: letter }), words);
  });
  const node = made("fieldset", {}, made("legend", { innerHTML: told }), ...lines);
  const given = () => [...node.querySelectorAll("input:checked")].map((box) => box.value).join("");
  return { node, given, code: (letters) => `"${letters}"`, missing: "Choose" };
}

/** One number, or the two of a place, which a click on the picture fills in. */
function numbers({ told, numbers, place }) {
  const fields = (numbers === 1 ? ["number"] : ["x", "y"]).map((name) => {
    const field = made("input", { type: "number", step: "any" });
    field.dataset.lmSuppressShortcuts = "true";
    return { field, label: made("label", { className: "lm-number" }, `${name} `, field) };
  });
  const node = made("fieldset", {}, made("legend", { innerHTML: told }), ...fields.map(({ label }) => label));
  if (place) node.prepend(picture(place, fields.map(({ field }) => field)));
  const given = () => {
    const values = fields.map(({ field }) => field.valueAsNumber);
    return values.some(Number.isNaN) ? [] : values;
  };
  const code = (values) => (values.length === 1 ? `${values[0]}` : `(${values.join(", ")})`);
  return { node, given, code, missing: "Fill in" };
}

/** The picture; where it is clicked a mark stands, and the fields say where that is. */
function picture({ html, width, frame: [left, top, wide, high], x, y }, [across, up]) {
  const box = made("div", { className: "lm-place", innerHTML: html });
  const mark = box.appendChild(made("span", { className: "lm-mark", hidden: true }));
  const share = (value, [low, high]) => (value - low) / (high - low);
  const put = () => {
    const image = box.querySelector("img");
    const scale = image.clientWidth / width;
    mark.hidden = Number.isNaN(across.valueAsNumber + up.valueAsNumber);
    mark.style.left = `${image.offsetLeft + scale * (left + wide * share(across.valueAsNumber, x))}px`;
    mark.style.top = `${image.offsetTop + scale * (top + high * (1 - share(up.valueAsNumber, y)))}px`;
  };
  box.addEventListener("click", (event) => {
    const image = box.querySelector("img");
    const { left: from, top: above } = image.getBoundingClientRect();
    const scale = image.clientWidth / width;
    const value = (share, [low, high]) => Number((low + share * (high - low)).toPrecision(3));
    across.value = value(((event.clientX - from) / scale - left) / wide, x);
    up.value = value(1 - ((event.clientY - above) / scale - top) / high, y);
    put();
  });
  for (const field of [across, up]) field.addEventListener("input", put);
  return box;
}

let groups = 0; // radio buttons of two outputs are two groups

function render({ model, el }) {
  const questions = model.get("_questions");
  const group = `lm-choices-${(groups += 1)}`;
  const asked = questions.map((one) => (one.numbers ? numbers(one) : options(one, group)));
  const many = questions.some((one) => one.numbers) ? "this answer" : "this choice";
  const button = made("button", { type: "button", className: "lm-primary", textContent: `Check ${many}` });
  const note = made("p", { className: "lm-note" });
  note.setAttribute("role", "status");
  const form = made("div", { className: "lm lm-choices" }, ...asked.map(({ node }) => node), button, note);
  form.addEventListener("keydown", (event) => {
    if (!["Escape", "Tab"].includes(event.key)) event.stopPropagation(); // JupyterLab would take Enter
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
      const { missing } = asked[0];
      note.textContent = questions.length > 1 ? `${missing} in each of the questions first.` : `${missing} first.`;
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
