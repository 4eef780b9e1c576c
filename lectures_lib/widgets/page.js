// Brings the live figures of a page to life, without a kernel and without the network: nbconvert
// puts this script into the page, next to the widgets' state that the notebook carries. Widgets whose scenes were sent ahead answer; under the static picture of the
// others a sentence says what they do in JupyterLab. The web site of the course uses
// `offlineModel` with the states that it stores beside its pages.

/** The part of a widget's model that the widget uses, with nobody at the other end. */
function offlineModel({ state, buffers = [] }) {
  const values = { ...state };
  for (const { path, data } of buffers) {
    values[path[0]] = new DataView(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer);
  }
  const nothing = () => {};
  return {
    get: (name) => values[name],
    set: (name, value) => (values[name] = value),
    save_changes: nothing,
    send: nothing,
    on: nothing,
    off: nothing,
  };
}

(async () => {
  const store = document.querySelector('script[type="application/vnd.jupyter.widget-state+json"]');
  const models = store ? JSON.parse(store.textContent).state : {};

  const type = "application/vnd.jupyter.widget-view+json";
  for (const view of document.querySelectorAll(`script[type="${type}"]`)) {
    const model = models[JSON.parse(view.textContent).model_id];
    if (model?.model_module !== "anywidget") continue;
    const style = document.createElement("style");
    style.textContent = model.state._css;
    const el = document.createElement("div");
    view.before(style, el);
    const asleep = { textContent: model.state._asleep }; // for moves that need Python
    if (!model.state._ahead) el.append(Object.assign(document.createElement("p"), asleep));
    const url = URL.createObjectURL(new Blob([model.state._esm], { type: "text/javascript" }));
    const { default: widget } = await import(url);
    widget.render({ model: offlineModel(model), el });
  }
})();
