"""`live(scene_function, **controls)`: a scene that answers to sliders, buttons and dragged points.

Messages. The browser sends {"kind": "hello", view} when a view opens and
{"kind": "move", view, n, values, edits} for a move, one at a time: while it waits for an answer,
later moves replace each other, so the latest wins and none queues up. Python answers with
{"kind": "scene", view, n, slots} (only the slots that changed) and the arrays as one buffer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from IPython.core.getipython import get_ipython
from IPython.display import display

from lectures_lib.figures.marks import Track
from lectures_lib.figures.palette import MARKERS, stylesheet
from lectures_lib.figures.picture import show
from lectures_lib.figures.scene import Scene
from lectures_lib.widgets.controls import Control, PointsControl, Slider, Steps
from lectures_lib.widgets.frames import Packer, Slots, build_table, changes, clamp, pack, slots_of
from lectures_lib.widgets.held import PLACES, held_marks

BROWSER = Path(__file__).parent / "browser"
PARTS = (
    *("basics", "slots", "shapes", "motion", "panels"),
    *("handles", "hands", "held", "controls", "view"),
)
"""The script of the widget: these files of `browser`, joined in this order."""

SCRIPT = "\n".join((BROWSER / f"{part}.js").read_text(encoding="utf-8") for part in PARTS)
STYLE = stylesheet() + (BROWSER / "live.css").read_text(encoding="utf-8")

SceneFunction = Callable[..., Scene]


def live(scene_function: SceneFunction, **controls: Control) -> Live:
    """The scene of `scene_function(**values)`, drawn in the browser and moved by the controls.

    >>> from lectures_lib.figures import Panel, Points, Scene
    >>> def dot(height):
    ...     return Scene((Panel((Points([[0.5, height]]),)),), f"A dot at {height:.1f}.")
    >>> live(dot, height=slider(0, 1, 0.1, value=0.5, label="height"))
    Live figure: A dot at 0.5.

    Each keyword is one control: `slider`, `choice`, `toggle`, `steps` or `points`; the function
    gets their values under the same names and returns a Scene. It is called again for each move;
    when it raises, the widget shows the message and keeps the last picture.

    When all scenes together fit into 1 MB they are sent ahead when the widget opens, and it
    answers without Python, even in a page without a kernel. Otherwise each move goes through
    Python, and the latest one wins. The size decides; `.mode` is "ahead" or "python" and `.why`
    says so in words.

    The values are attributes: `widget.angle` can be read, set, observed and linked. Shown in a
    notebook, a static picture comes first, and the widget hides it as soon as it is alive.
    """
    return Live(scene_function, controls)


class ControlTrait(traitlets.TraitType[Any, Any]):
    """A value of a control, checked by it."""

    def __init__(self, control: Control) -> None:
        super().__init__(default_value=control.start)
        self.control = control
        self.info_text = f"a value of the control {control.label!r}"

    def validate(self, obj: Any, value: Any) -> Any:
        try:
            return self.control.checked(value)
        except ValueError as problem:
            raise traitlets.TraitError(f"{self.name}: {problem}") from None


class Live(anywidget.AnyWidget):
    """What `live` returns: a widget that can be displayed, observed, linked and put in a box.

    >>> from lectures_lib.figures import Panel, Points, Scene
    >>> def dot(height):
    ...     return Scene((Panel((Points([[0.5, height]]),)),), f"A dot at {height:.1f}.")
    >>> live(dot, height=slider(0, 1, 0.5)).mode
    'ahead'
    """

    _esm = SCRIPT
    _css = STYLE

    _controls: Any = traitlets.List().tag(sync=True)  # name and spec of each control, in order
    _markers = traitlets.Dict({k: m.outline for k, m in MARKERS.items()}).tag(sync=True)
    _first = traitlets.Dict().tag(sync=True)  # slots of the first scene, and their arrays
    _first_data = traitlets.Bytes().tag(sync=True)
    _ahead = traitlets.Dict(None, allow_none=True).tag(sync=True)  # the table of all scenes
    _ahead_data = traitlets.Bytes().tag(sync=True)
    _fallback = traitlets.Unicode().tag(sync=True)  # name of the static picture to be hidden
    _asleep = traitlets.Unicode().tag(sync=True)  # what a page without Python says under it

    mode: str = ""  # "ahead" or "python"
    why: str = ""  # the same in words

    def __init__(self, scene_function: SceneFunction, controls: Mapping[str, Control]) -> None:
        for name, control in controls.items():
            if not isinstance(control, Control):
                found = type(control).__name__
                raise TypeError(f"{name}: expected a control (slider, choice, ...), found {found}")
            if hasattr(Live, name):
                raise ValueError(f"{name}: this name is taken, give the control another one")
        self._function = scene_function
        self._by_name = dict(controls)
        self._answering = False
        values = clamp(controls, {name: control.start for name, control in controls.items()})
        self._scene = self._checked_scene(values)
        self._sent = self._slots(self._scene, values)
        tracks = [track.handle for track in self._scene.marks(Track)]
        first, data = pack(self._sent)
        table, self.why = build_table(controls, self._draw_row)
        self.mode = "python" if table is None else "ahead"

        # Every value is a trait of its own. Points stay here: their edits travel instead.
        traits = {name: ControlTrait(control) for name, control in controls.items()}
        for name, control in controls.items():
            if not isinstance(control, PointsControl):
                traits[name].tag(
                    sync=True,
                    echo_update=False,
                    to_json=lambda value, _, c=control: c.to_wire(value),
                    from_json=lambda raw, _, c=control: c.from_wire(raw),
                )
        self.add_traits(**traits)
        super().__init__(
            _controls=[
                [name, {"label": c.label or name} | c.spec() | self._held(name, tracks)]
                for name, c in controls.items()
            ],
            _first=first,
            _first_data=data,
            _ahead=table and table.head,
            _ahead_data=table.data if table else b"",
            _fallback=_fingerprint(self._scene.describe()),
            _asleep="" if table else _asleep(controls),
        )
        self.observe(self._value_changed, list(controls))
        self.on_msg(self._answer)
        _close_former_widgets_of_this_cell(self)

    # --- values and scenes -----------------------------------------------------------------------

    @property
    def values(self) -> dict[str, Any]:
        """The values of all controls."""
        return {name: getattr(self, name) for name in self._by_name}

    @property
    def controls(self) -> dict[str, Control]:
        """The controls by their names."""
        return dict(self._by_name)

    def scene_of(self, values: Mapping[str, Any]) -> Scene:
        """The scene for these values of all controls."""
        return self._checked_scene(clamp(self._by_name, dict(values)))

    @property
    def scene(self) -> Scene:
        """The scene for the present values, or the last one that could be drawn."""
        if self.mode == "ahead":  # then the browser moves without asking
            with suppress(Exception):
                self._scene = self._checked_scene(clamp(self._by_name, self.values))
        return self._scene

    def _checked_scene(self, values: Mapping[str, Any]) -> Scene:
        scene = self._function(**values)
        if not isinstance(scene, Scene):
            found = type(scene).__name__
            raise TypeError(f"the scene function must return a Scene, it returned {found}")
        return scene

    def _slots(self, scene: Scene, values: Mapping[str, Any]) -> Slots:
        """The slots of a scene, and for each `steps` control its last and its next way-point."""
        slots = slots_of(scene) | {"error": None}
        for name, control in self._by_name.items():
            if isinstance(control, Steps):
                others = {key: value for key, value in values.items() if key != name}
                last, stops = control.reach(others)
                ahead = [stop for stop in stops if stop > values[name]]
                slots[f"c.{name}"] = {"last": last, "next": min([*ahead, last])}
        return slots

    def _held(self, name: str, tracks: list[str]) -> dict[str, Any]:
        """Where a control is held on the picture; its slider then only repeats that."""
        control = self._by_name[name]
        places = held_marks(self._scene, control.marks)
        tracked = name in tracks and isinstance(control, Slider)
        return {"on": places, "held": True} if places or tracked else {}

    def _draw_row(self, values: Mapping[str, Any]) -> Slots:
        try:
            return self._slots(self._checked_scene(values), values)
        except Exception as problem:
            return {"error": _words(problem)}

    # --- moves -----------------------------------------------------------------------------------

    def _value_changed(self, change: Any) -> None:
        """Python moved a control. Moves of the browser are answered by `_answer`."""
        if self._answering or self.mode == "ahead":
            return
        self._send_scene({"points": self._wires([change.name])})

    def _answer(self, _: object, content: Mapping[str, Any], buffers: object) -> None:
        if content.get("kind") == "hello":
            self._sent = {}
            wires = self._wires(self._by_name)
            self._send_scene({"view": content.get("view"), "n": 0, "points": wires})
        elif content.get("kind") == "move":
            self._move(content)
        elif content.get("kind") == "variants":
            self._send_variants(content)

    def _wires(self, names: Iterable[str]) -> dict[str, Any]:
        """The present points of those controls among `names` that hold points."""
        held = {name: self._by_name.get(name) for name in names}
        return {
            name: control.to_wire(getattr(self, name))
            for name, control in held.items()
            if isinstance(control, PointsControl)
        }

    def _move(self, content: Mapping[str, Any]) -> None:
        message: dict[str, Any] = {"view": content.get("view"), "n": content.get("n")}
        edits = content.get("edits") or {}
        self._answering = True
        try:
            self.set_state(content.get("values") or {})
            for name, some in edits.items():
                self.set_trait(name, self._by_name[name].edited(getattr(self, name), some))
        except Exception as problem:  # the browser goes back to the points that Python has
            error = {"error": _words(problem)}
            self._sent = self._sent | error
            self.send(message | {"kind": "scene", "slots": error, "points": self._wires(edits)})
            return
        finally:
            self._answering = False
        self._send_scene(message | ({"edits": edits} if edits else {}))

    def _send_scene(self, message: dict[str, Any]) -> None:
        """Draw the present values and send what changed, or say what went wrong."""
        try:
            values = clamp(self._by_name, self.values)
            self._answering = True
            for name, control in self._by_name.items():
                if isinstance(control, Steps) and values[name] != getattr(self, name):
                    self.set_trait(name, values[name])
            scene = self._checked_scene(values)
            slots = self._slots(scene, values)
        except Exception as problem:
            # The picture stays. Slots that were never sent (a view that opens now) go with it.
            slots = {**(self._sent or slots_of(self._scene)), "error": _words(problem)}
        else:
            self._scene = scene
        finally:
            self._answering = False
        sparse, data = pack(changes(self._sent, slots))
        self._sent = slots
        self.send(message | {"kind": "scene", "slots": sparse}, [data] if data else None)

    def _send_variants(self, content: Mapping[str, Any]) -> None:
        """Some marks for every value of a control, so that the hand can choose among them."""
        control = self._by_name[content["name"]]
        packer, rows = Packer(), []
        for k in range(control.options or 0):
            values = self.values | {content["name"]: control.option(k)}
            slots = {}
            with suppress(Exception):
                slots = slots_of(self._checked_scene(clamp(self._by_name, values)))
            row = [
                {
                    key: packer.pack(slots[f"{mark}/{key}"])
                    for key in PLACES
                    if f"{mark}/{key}" in slots
                }
                for mark in content["marks"]
            ]
            rows.append(row)
        message = {"kind": "variants", "view": content.get("view"), "rows": rows}
        self.send(message, [bytes(packer.data)])

    # --- display ---------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"Live figure: {self.scene.describe()}"

    def _ipython_display_(self) -> None:
        """The static picture as an output of its own, then the widget that will hide it."""
        picture = show(self.scene)
        html = picture.html("static-fallback", f'data-live="{self._fallback}"')
        display({"text/html": html, "text/plain": repr(picture)}, raw=True)
        data, metadata = self._repr_mimebundle_()  # type: ignore[misc]
        display(data, metadata=metadata, raw=True)


def _fingerprint(sentence: str) -> str:
    return hashlib.sha256(sentence.encode("utf-8")).hexdigest()[:12]


def _asleep(controls: Mapping[str, Control]) -> str:
    labels = "; ".join(control.label or name for name, control in controls.items())
    return f"In JupyterLab this picture is alive and answers to: {labels}."


def _words(problem: Exception) -> str:
    """What the reader is told; a ValueError speaks for itself."""
    if isinstance(problem, ValueError) and str(problem):
        return str(problem)
    return f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__


# --- running a cell again ------------------------------------------------------------------------

_of_cell: dict[str, tuple[str, list[Live]]] = {}  # cell -> the run that made them, its widgets


def _close_former_widgets_of_this_cell(widget: Live) -> None:
    """Close what an earlier run of this cell made, so that running it again leaks nothing.

    The notebook says in each request which cell it runs; other front ends do not, and then the
    widgets stay until the kernel ends.
    """
    kernel = getattr(get_ipython(), "kernel", None)
    request = kernel.get_parent("shell") if kernel is not None else {}
    metadata = request.get("metadata", {})
    for gone in metadata.get("deletedCells") or []:
        _close(_of_cell.pop(gone, ("", []))[1])
    cell, run = metadata.get("cellId"), request.get("header", {}).get("msg_id", "")
    if not cell:
        return
    former, widgets = _of_cell.get(cell, ("", []))
    if former != run:
        _close(widgets)
        widgets = []
    _of_cell[cell] = (run, [*widgets, widget])


def _close(widgets: list[Live]) -> None:
    for widget in widgets:
        widget.layout.close()  # a widget of its own, which nothing else would close
        widget.close()
