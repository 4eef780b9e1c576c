"""Where the parts of a picture lie, in pixels. `panels.js` has the same distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lectures_lib.figures.scene import Key, Panel

# By panels in a row. A phone leaves 294 pixels beside JupyterLab's bar, 0.7 of the widest.
PANEL_WIDTHS = {1: 410, 2: 410, 3: 310, 4: 230}


@dataclass(frozen=True)
class FrameBox:
    """The frame of a panel inside the panel's picture."""

    left: float
    top: float
    w: float
    h: float
    width: float
    height: float

    def X(self, u: float) -> float:
        """Pixels from the frame's left side, for a position in panel units."""
        return u * self.w

    def Y(self, v: float) -> float:
        """Pixels from the frame's upper side, for a position in panel units."""
        return self.h - v * self.h


def frame_box(panel: Panel, width: float) -> FrameBox:
    """The frame of a panel whose picture is `width` pixels wide."""
    left = 56 if panel.frame else 8
    top = 30 if panel.title else 10
    below = (46 if panel.x.label else 26) if panel.frame else 8
    w = max(40.0, width - left - 14)
    h = w * panel.aspect
    return FrameBox(left, top, w, h, width, top + h + below)


def text_width(text: str, size: float = 12.0) -> float:
    """About how many pixels a line of text takes, whatever the font."""
    return 0.6 * size * len(text)


def legend_rows(keys: Sequence[Key], width: float) -> list[list[tuple[Key, float]]]:
    """The lines of a legend in rows that fit into `width`, each with the room that it takes."""
    rows: list[list[tuple[Key, float]]] = []
    left = 0.0
    for key in keys:
        room = 34 + text_width(key.label, 13) + 16
        if not rows or left + room > width:
            rows.append([])
            left = 0.0
        rows[-1].append((key, room))
        left += room
    return rows
