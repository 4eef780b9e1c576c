// Questions whose options are clicked. A choice is written into the answer cell above, where the
// notebook keeps it, and sent to Python, which judges it as it would judge the cell.

/** The text editor of a code cell, or undefined: JupyterLab has no other way to it from here. */
function editorOf(cell) {
  const content = cell.querySelector(".cm-content");
  const part = content?.cmTile ?? content?.cmView;
  return part?.root?.view ?? part?.rootView?.view;
}

/** The nearest cell above that assigns one of the names, as its editor. */
function answerCell(el, names) {
  const assigns = new RegExp(`^\\s*(?:\\w+\\s*,\\s*)*(?:${names.join("|")})\\b[\\w\\s,]*=(?!=)`, "m");
  let cell = el.closest(".jp-Cell")?.previousElementSibling;
  for (; cell; cell = cell.previousElementSibling) {
    const editor = cell.classList.contains("jp-CodeCell") && editorOf(cell);
    if (editor && assigns.test(editor.state.doc.toString())) return editor;
  }
  return undefined;
}

/** The source of the answer cell with the letters in place of what was assigned before. */
function withLetters(source, letters) {
  const names = Object.keys(letters);
  const values = names.map((name) => `"${letters[name]}"`);
  const together = new RegExp(`^${names.join("\\s*,\\s*")}\\s*=.*$`, "m");
  if (together.test(source)) return source.replace(together, `${names.join(", ")} = ${values.join(", ")}`);
  names.forEach((name, k) => {
    const line = new RegExp(`^${name}\\s*=(?!=).*$`, "m");
    const code = `${name} = ${values[k]}`;
    source = line.test(source) ? source.replace(line, code) : `${source.trimEnd()}\n${code}`;
  });
  return source;
}

function write(el, letters) {
  const editor = answerCell(el, Object.keys(letters));
  if (!editor) return false;
  const insert = withLetters(editor.state.doc.toString(), letters);
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert } });
  return true;
}

function made(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function question({ name, told, several, chosen, options }, group) {
  const kind = several ? "checkbox" : "radio";
  const lines = options.map(({ letter, html }) => {
    const box = made("input", { type: kind, name: `${group}-${name}`, value: letter, checked: chosen.includes(letter) });
    box.dataset.lmSuppressShortcuts = "true"; // or JupyterLab takes the arrow keys away
    const words = made("span", { innerHTML: html });
    return made("label", { className: "lm-option" }, box, made("span", { className: "lm-letter", textContent: letter }), words);
  });
  return made("fieldset", {}, made("legend", { innerHTML: told }), ...lines);
}

let groups = 0; // radio buttons of two outputs are two groups

function render({ model, el }) {
  const questions = model.get("_questions");
  const group = `lm-choices-${(groups += 1)}`;
  const sets = questions.map((one) => question(one, group));
  const button = made("button", { type: "button", className: "lm-primary", textContent: "Check this choice" });
  const note = made("p", { className: "lm-note" });
  note.setAttribute("role", "status");
  const form = made("div", { className: "lm lm-choices" }, ...sets, button, note);
  form.addEventListener("keydown", (event) => {
    if (!["Escape", "Tab"].includes(event.key)) event.stopPropagation(); // JupyterLab would take Enter
  });
  button.addEventListener("click", () => {
    const letters = {};
    questions.forEach(({ name }, k) => {
      const chosen = [...sets[k].querySelectorAll("input:checked")].map((box) => box.value);
      if (chosen.length) letters[name] = chosen.join("");
    });
    if (Object.keys(letters).length < questions.length) {
      note.textContent = questions.length > 1 ? "Choose in each of the questions first." : "Choose first.";
      return;
    }
    const code = Object.entries(letters).map(([name, chosen]) => `${name} = "${chosen}"`).join("; ");
    note.textContent = write(el, letters)
      ? `The cell above now says ${code}`
      : `Write ${code} in the cell above, so that the notebook keeps it.`;
    model.send({ kind: "choice", letters });
  });
  el.append(form);
}

export default { render };
