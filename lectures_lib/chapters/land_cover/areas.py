"""Our training areas on the scene of Olinda: what the survey and its exercises share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lectures_lib.landcover import Rectangle

CLASSES = ("water", "built-up", "vegetation", "bare")
PIXEL = 28.5  # metres
Areas = Mapping[str, Sequence[Rectangle]]

OURS: dict[str, list[Rectangle]] = {
    "water": [
        Rectangle(305, 255, 325, 280),
        Rectangle(195, 325, 220, 345),
        Rectangle(135, 325, 160, 342),
        Rectangle(272, 217, 276, 221),
    ],
    "vegetation": [
        Rectangle(28, 28, 55, 47),
        Rectangle(5, 285, 22, 305),
        Rectangle(100, 110, 120, 135),
        Rectangle(0, 125, 20, 140),
    ],
    "built-up": [
        Rectangle(150, 275, 175, 295),
        Rectangle(60, 290, 85, 310),
        Rectangle(305, 105, 330, 130),
        Rectangle(225, 115, 245, 135),
    ],
    "bare": [
        Rectangle(104, 245, 116, 250),
        Rectangle(69, 199, 74, 209),
        Rectangle(147, 248, 154, 253),
        Rectangle(336, 202, 344, 205),
    ],
}
"""Areas that we drew on the scene, four of each class, by looking at it in three colours."""
