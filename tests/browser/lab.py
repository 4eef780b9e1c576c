"""A real JupyterLab server and a real Chromium, for tests and benchmarks.

with lab_server(folder) as lab, chromium() as browser:
    page = lab.open(browser, "name", [cell, cell])   # runs all cells, waits for the outputs
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import (
    Browser,
    CDPSession,
    Locator,
    Page,
    TimeoutError,
    expect,
    sync_playwright,
)

WAIT = 60_000  # milliseconds that anything may take on a busy machine
expect.set_options(timeout=WAIT)
START = 300  # seconds for JupyterLab, which loads much before it says anything
KERNEL_IS_THERE = """() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel
  ?.connectionStatus === 'connected'"""
Place = tuple[float, float]  # pixels in the window
OUTPUT = ".jp-Cell-outputArea"
# The page keeps the numbers of its messages to Python until they are answered.
COUNT_MESSAGES = """() => {
  const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
  const asked = (window.unanswered = new Set());
  kernel.anyMessage.connect((_, { msg, direction }) => {
    if (direction === "send" && msg.header.msg_type === "comm_msg") asked.add(msg.header.msg_id);
    if (msg.content.execution_state === "idle") asked.delete(msg.parent_header.msg_id);
  });
}"""
STILL = """async (node, [frames, limit]) => {
  const look = () => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x, y, width, height, node.innerHTML].join();
  };
  const end = Date.now() + limit;
  for (let before = "", same = 0; same < frames;) {
    await new Promise(requestAnimationFrame);
    const now = window.unanswered?.size ? "" : look();
    same = now && now === before ? same + 1 : 0;
    before = now;
    if (Date.now() > end) throw new Error("the page does not come to rest");
  }
}"""


def chromium_path() -> str | None:
    """Chromium of the system, or None; CHROMIUM_PATH overrides the search."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
    return os.environ.get("CHROMIUM_PATH") or next(filter(None, map(shutil.which, names)), None)


# JupyterLab's body has no height and hides what stands outside it, so that axe would see nothing.
# How MathJax draws is not ours, nor how JupyterLab draws a link and the number of a cell, nor that
# the handles of ipywidgets' sliders, which `interact` makes, have no name.
LOOK = """async scope => {
  const all = "body, .jp-LabShell { overflow: visible !important }";
  const seen = "* { content-visibility: visible !important }";
  const style = document.head.appendChild(document.createElement("style"));
  style.textContent = `${all} ${seen}`;
  try {
    return await axe.run(
      { include: [[scope]], exclude: [["mjx-container"], [".jp-OutputPrompt"], [".noUi-handle"]] },
      { preload: false, rules: { "link-in-text-block": { enabled: false } } });
  } finally {
    style.remove();
  }
}"""


@contextmanager
def chromium(**options: Any) -> Iterator[Browser]:
    """A headless browser: the system's, or the one that Playwright has installed."""
    with sync_playwright() as playwright:
        path = chromium_path()
        found: dict[str, Any] = {"executable_path": path} if path else {}
        browser = playwright.chromium.launch(args=["--no-sandbox"], **found, **options)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Lab:
    """A running server; its notebooks live in `folder`."""

    url: str
    folder: Path

    def write(self, name: str, cells: Sequence[str]) -> Path:
        """A notebook with these code cells."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
        notebook.metadata["kernelspec"] = {
            "name": "python3",
            "display_name": "Python 3",
            "language": "python",
        }
        path = self.folder / f"{name}.ipynb"
        nbformat.write(notebook, path)
        return path

    def open(
        self,
        browser: Browser,
        name: str,
        cells: Sequence[str] | None = None,
        *,
        width: int = 1100,
        height: int = 1000,
        run: bool = True,
        prepare: Callable[[Page], None] = lambda page: None,
        **context: Any,
    ) -> Page:
        """A page with the notebook, all cells run. Closing `page.context` ends it.

        `prepare` is given the empty page first; `context` is for `browser.new_context`.
        """
        if cells is not None:
            self.write(name, cells)
        size: Any = {"width": width, "height": height}
        page = browser.new_context(viewport=size, **context).new_page()
        page.set_default_timeout(WAIT)
        prepare(page)
        for patience in (WAIT / 3, WAIT):  # on a busy machine a kernel is sometimes lost
            page.goto(f"{self.url}/lab/tree/{name}.ipynb?reset")
            try:
                page.wait_for_selector(".jp-Notebook .jp-CodeCell", state="attached")
                page.wait_for_function(KERNEL_IS_THERE, timeout=patience)
                break
            except TimeoutError:
                if patience == WAIT:
                    raise
        page.evaluate(COUNT_MESSAGES)
        page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
        if run:
            self.run_all(page)
        return page

    def run_all(self, page: Page) -> None:
        """Run all cells and wait until the last has an execution count."""
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_function(
            "() => [...window.jupyterapp.shell.currentWidget.content.widgets]"
            ".filter(cell => cell.model.type === 'code' && cell.model.sharedModel.source.trim())"
            ".every(cell => cell.model.executionCount)"
        )


def set_theme(page: Page, theme: str) -> None:
    """Switch JupyterLab to "light" or "dark" while the page is open."""
    name = f"JupyterLab {theme.capitalize()}"
    page.evaluate(
        "name => window.jupyterapp.commands.execute('apputils:change-theme', { theme: name })", name
    )
    page.wait_for_function(
        "name => document.body.dataset.jpThemeName === name"
        " && !document.querySelector('.jp-Splash')",
        arg=name,
    )


def run_code(page: Page, code: str) -> str:
    """What `code` prints in the kernel of the open notebook."""
    return str(
        page.evaluate(
            """async code => {
              const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
              const request = kernel.requestExecute({ code, silent: false, store_history: false });
              let text = "";
              request.onIOPub = message => {
                if (message.header.msg_type === "stream") text += message.content.text;
                if (message.header.msg_type === "error") text += message.content.evalue;
              };
              await request.done;
              return text;
            }""",
            code,
        )
    ).strip()


def value(page: Page, expression: str) -> Any:
    """A value in the kernel, as JSON carries it."""
    return json.loads(run_code(page, f"import json; print(json.dumps({expression}))"))


def settle(thing: Locator, frames: int = 3) -> None:
    """Until Python has answered every move, and so many frames have shown the same picture."""
    thing.evaluate(STILL, [frames, WAIT])


def until(look: Callable[[], int], holds: Callable[[int], bool]) -> int:
    """What is seen as soon as it holds, or what was seen last."""
    end = time.monotonic() + WAIT / 1000
    while not holds(found := look()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def told(view: Locator, text: str) -> None:
    """The sentence below a live picture says this, as soon as it is there."""
    expect(view.locator(".lm-sentence")).to_contain_text(text)


@dataclass
class Hand:
    """A mouse, or a finger when it has `devtools`; it never runs ahead of the page."""

    page: Page
    devtools: CDPSession | None = None

    def __post_init__(self) -> None:
        self.page.evaluate("""() => addEventListener("pointermove", event => {
          window.pointer = [event.clientX, event.clientY];
        }, true)""")

    def down(self, at: Place) -> None:
        if self.devtools:
            self._touch("touchStart", at)
        else:
            self.page.mouse.move(*at)
            self.page.mouse.down()
        self.at = at

    def move(self, to: Place, steps: int = 8) -> None:
        """Go there, and wait until the page has noticed."""
        (x, y), self.at = self.at, to
        for k in range(1, steps + 1):
            at = x + (to[0] - x) * k / steps, y + (to[1] - y) * k / steps
            if self.devtools:
                self._touch("touchMove", at)
            else:
                self.page.mouse.move(*at)
        self.page.wait_for_function(
            "([x, y]) => Math.hypot(window.pointer[0] - x, window.pointer[1] - y) < 1", arg=list(to)
        )

    def up(self) -> None:
        if self.devtools:
            self._touch("touchEnd")
        else:
            self.page.mouse.up()

    def _touch(self, kind: str, *points: Place) -> None:
        assert self.devtools is not None
        touches = [{"x": x, "y": y} for x, y in points]
        self.devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def violations(page: Page, scope: str = OUTPUT, *, every: bool = False) -> list[str]:
    """What axe finds serious or critical inside `scope` (or `every` finding), one line each."""
    import axe_playwright_python

    script = Path(axe_playwright_python.__file__).with_name("axe.min.js")
    if page.evaluate("!window.axe"):
        page.evaluate(script.read_text(encoding="utf-8"))
    found = page.evaluate(LOOK, scope)
    return [
        f"{v['impact']}: {v['id']}: {v['help']}: {node['html'][:160]}"
        for v in found["violations"]
        if every or v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]


@contextmanager
def lab_server(folder: Path) -> Iterator[Lab]:
    """A JupyterLab server on a free port, with settings of its own."""
    home = folder / ".jupyter"
    environment = os.environ | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_PLATFORM_DIRS": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    quiet = home / "settings" / "@jupyterlab" / "apputils-extension"
    quiet.mkdir(parents=True)
    (quiet / "notification.jupyterlab-settings").write_text(
        '{"fetchNews": "false", "checkForUpdates": false}', encoding="utf-8"
    )
    log = (folder / "server.log").open("w", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--port=0",
        "--ServerApp.ip=127.0.0.1",
        "--IdentityProvider.token=",
        "--ServerApp.password=",
        f"--ServerApp.root_dir={folder}",
        "--LabApp.expose_app_in_browser=True",
        "--ServerApp.kernel_websocket_connection_class=lectures_lib.widgets.connection.Prompt",
    ]
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        yield Lab(_address(folder, server), folder)
    finally:
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        log.close()


def _address(folder: Path, server: subprocess.Popen[bytes]) -> str:
    """The server's address, once it answers."""
    text = ""
    end = time.monotonic() + START
    while time.monotonic() < end:
        text = (folder / "server.log").read_text(encoding="utf-8")
        found = re.search(r"http://127\.0\.0\.1:(\d+)/lab", text)
        url = f"http://127.0.0.1:{found[1]}" if found else ""
        try:
            with urllib.request.urlopen(f"{url}/api/status", timeout=30) as answer:
                json.load(answer)
            return url
        except (OSError, ValueError):  # not there yet
            time.sleep(0.1)
        if server.poll() is not None:
            break
    raise RuntimeError(f"JupyterLab did not start:\n{text[-2000:]}")
