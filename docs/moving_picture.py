"""Draws the moving picture of the README: `.venv/bin/python docs/moving_picture.py`.

It is docs/perceptron.svg. Every frame is a scene of the course. Axes and points stand still and
are drawn once; what moves is drawn once for each frame, and CSS shows one frame after the other.
The colours follow the reader's theme. Who asks for less motion sees the last frame, and so does
everybody after the last round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import numpy as np

from lectures_lib.datasets import make_gaussian_classes
from lectures_lib.figures.layout import frame_box
from lectures_lib.figures.marks import Points
from lectures_lib.figures.plane import boundary_scene, square_axes
from lectures_lib.figures.scene import Scene
from lectures_lib.figures.svg import document, legend_svg, mark_svg, panel_svg
from lectures_lib.figures.words import count
from lectures_lib.perceptron import Perceptron

TARGET = Path(__file__).with_name("perceptron.svg")
WIDTH = 410
GLIDE = 8  # frames from one state of the line to the next
GLIDE_SECONDS, LOOK_SECONDS, END_SECONDS = 0.07, 1.1, 2.5
ROUNDS = 3  # then it rests: what moves for ever beside a text keeps people from reading


@dataclass(frozen=True)
class Frame:
    """A scene and how long it is seen."""

    scene: Scene
    seconds: float


def frames() -> list[Frame]:
    """The perceptron's run on forty points: look at the mistake in hand, then turn the line."""
    sample = make_gaussian_classes([[-0.9, -0.7], [0.9, 0.8]], 0.32 * np.eye(2), None, 40, rng=25)
    model = Perceptron(record=True).fit(sample.X, sample.y)
    axes = square_axes(sample.X)
    last = len(model.path_) - 1
    made = []
    for t in range(1, last + 1):
        following = int(model.updates_[t]) if t < last else None
        scene = boundary_scene(
            *(sample.X, sample.y, model.path_[t]), current=following, axes=axes, title="-"
        )
        wrong = scene.readouts[0][1].split()[0]
        said = f"{count(t, 'update')}, {count(int(wrong), 'mistake')} left"
        made.append(Frame(titled(scene, said), LOOK_SECONDS if t < last else END_SECONDS))
        for share in np.linspace(0, 1, GLIDE + 1)[1:-1] if t < last else ():
            between = (1 - share) * model.path_[t] + share * model.path_[t + 1]
            moving = boundary_scene(sample.X, sample.y, between, axes=axes, title="-")
            made.append(Frame(titled(moving, "the line turns"), GLIDE_SECONDS))
    return made


def titled(scene: Scene, words: str) -> Scene:
    """The scene with these words above it."""
    return replace(scene, panels=(replace(scene.panels[0], title=words),))


def sentence() -> str:
    """What the picture shows, for those who do not see it."""
    shown = [frame for frame in frames() if frame.scene.panels[0].title != "the line turns"]
    left = [frame.scene.readouts[0][1].split()[0] for frame in shown]
    return (
        f"The perceptron learns a line on 40 points: the mistakes after each of its {len(left)} "
        f"updates are {', '.join(left[:-1])} and {left[-1]}. {shown[-1].scene.describe()}"
    )


def svg() -> str:
    """The whole animated document."""
    made = frames()
    first, panel = made[0].scene.panels[0], made[-1].scene.panels[0]
    box = frame_box(panel, WIDTH)
    paper = panel_svg(replace(panel, marks=(), title=""), [], box)
    shapes = panel.shapes()
    points = "".join(
        mark_svg(s, box) for s, m in zip(shapes, panel.marks, strict=True) if is_cloud(m)
    )
    legend, height = legend_svg(first.legend(first.shapes()), WIDTH)
    below = f'<g transform="translate(0 {box.height:.2f})">{legend}</g>'
    moving = "".join(f'<g class="f f{k}">{drawn(f.scene)}</g>' for k, f in enumerate(made))
    content = f"<style>{motion(made)}</style>{paper}{moving}{points}{below}"
    return with_title(document(content, WIDTH, box.height + height))


def is_cloud(mark: object) -> bool:
    """Whether a mark is the points of both classes, which never move."""
    return isinstance(mark, Points) and mark.classes is not None


def drawn(scene: Scene) -> str:
    """What differs from frame to frame: title, half-planes, line, arrow, rings."""
    panel = scene.panels[0]
    box = frame_box(panel, WIDTH)
    kept = [s for s, m in zip(panel.shapes(), panel.marks, strict=True) if not is_cloud(m)]
    return panel_svg(replace(panel, frame=False), kept, box)


def motion(made: list[Frame]) -> str:
    """CSS that shows the last frame, or all of them in turn where motion is welcome."""
    whole = sum(frame.seconds for frame in made)
    last = len(made) - 1
    rules = "".join(
        f"@keyframes k{k}{{{keys}}}.f{k}{{animation-name:k{k}}}"
        for k, keys in enumerate(shown_from_to(made, whole))
    )
    timing = f"animation:{whole:.2f}s step-end {ROUNDS} forwards"
    return (
        f".f{{visibility:hidden}}.f{last}{{visibility:visible}}"
        f"@media(prefers-reduced-motion:no-preference){{.f{{{timing}}}{rules}}}"
    )


def shown_from_to(made: list[Frame], whole: float) -> Iterator[str]:
    """For each frame, the keys of its visibility in per cent of the whole time."""
    begin = 0.0
    for frame in made:
        end = begin + frame.seconds
        start, stop = 100 * begin / whole, 100 * end / whole
        before = "0%{visibility:hidden}" if begin else ""
        after = "visible" if frame is made[-1] else "hidden"
        yield f"{before}{start:.2f}%{{visibility:visible}}{stop:.2f}%{{visibility:{after}}}"
        begin = end


def with_title(text: str) -> str:
    """The document with its sentence as its title."""
    opening, rest = text.split(">", 1)
    return f'{opening} role="img"><title>{escape(sentence())}</title>{rest}'


if __name__ == "__main__":
    TARGET.write_text(svg() + "\n", encoding="utf-8", newline="\n")
    print(f"{TARGET.name}: {TARGET.stat().st_size / 1000:.0f} kB, {len(frames())} frames")
    print(sentence())
