"""The first live picture: a line moved by hand."""

from __future__ import annotations

from lectures_lib.chapters.start_here.pictures import SAMPLE
from lectures_lib.figures.plane import boundary_scene, square_axes
from lectures_lib.figures.scene import Scene
from lectures_lib.widgets import LineAt, Live, line, live


def first_widget() -> Live:
    """A line over two clouds, turned at its ends and shifted anywhere else; mistakes are counted.

    All its scenes are sent ahead, so it answers without Python.
    """
    axes = square_axes(SAMPLE.X)

    def scene(cut: LineAt) -> Scene:
        return boundary_scene(SAMPLE.X, SAMPLE.y, cut.w, cut.w0, axes=axes)

    middle = [round((axis.lo + axis.hi) / 2, 1) for axis in axes]
    reach = round((axes[0].hi - axes[0].lo) / 2, 1)
    return live(scene, cut=line(120, reach=reach, centre=middle, arrow=True))
