// Wakes the live pictures of a page. What draws them, picture.js, and the state of each one are
// scripts of their own, read when a picture comes near: a page from a disk may fetch nothing.
{
  const waiting = new Map(); // name of a picture -> what to do with its state

  /** Called by the script of a picture. */
  window.lecturesPicture = (name, packed) => waiting.get(name)(packed);

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const content = new Uint8Array(await new Response(stream).arrayBuffer());
    const end = content.indexOf(10);
    const { state, buffers } = JSON.parse(new TextDecoder().decode(content.subarray(0, end)));
    let at = end + 1;
    for (const [name, length] of buffers) {
      state[name] = new DataView(content.buffer, at, length);
      at += length;
    }
    return { state };
  }

  function read(address) {
    return new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: address });
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${address} is missing`));
      document.head.append(script);
    });
  }

  let widget; // a promise: picture.js is read once for the page

  async function wake(el) {
    const { picture, root } = el.dataset;
    widget ??= read(`${root}_static/picture.js`);
    let packed;
    waiting.set(picture, (text) => (packed = text));
    await Promise.all([widget, read(`${root}_static/live/${picture}.js`)]);
    lecturesWidget.render({ model: offlineModel(await unpacked(packed)), el });
    if ("turns" in el.dataset) turn(el);
  }

  /** The picture of the start page goes once round until somebody takes hold of it. */
  function turn(el) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const input = el.querySelector("input[type=range]");
    let left = Number(input.max) + 1;
    const timer = setInterval(() => {
      input.value = (Number(input.value) + 1) % (Number(input.max) + 1);
      input.dispatchEvent(new Event("input"));
      if (--left === 0) clearInterval(timer);
    }, 120);
    const stop = () => clearInterval(timer);
    for (const kind of ["pointerdown", "focusin"]) el.addEventListener(kind, stop);
  }

  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        wake(target);
      }
    },
    { rootMargin: "800px" },
  );
  for (const el of document.querySelectorAll(".live-picture")) near.observe(el);
}
