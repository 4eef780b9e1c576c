"""Our training areas on the scene of Olinda: what the survey and its exercises share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lectures_lib.landcover import Rectangle

CLASSES = ("water", "built-up", "vegetation", "bare")
PIXEL = 28.5  # metres
Areas = Mapping[str, Sequence[Rectangle]]

# Areas that we drew on the scene, four of each class, by looking at it in three colours: the row
# and the column where each begins, and those where it ends.
_WATER = (305, 255, 325, 280), (195, 325, 220, 345), (135, 325, 160, 342), (272, 217, 276, 221)
_WOODS = (28, 28, 55, 47), (5, 285, 22, 305), (100, 110, 120, 135), (0, 125, 20, 140)
_TOWN = (150, 275, 175, 295), (60, 290, 85, 310), (305, 105, 330, 130), (225, 115, 245, 135)
_BARE = (104, 245, 116, 250), (69, 199, 74, 209), (147, 248, 154, 253), (336, 202, 344, 205)
OURS = {
    name: [Rectangle(*corners) for corners in drawn]
    for name, drawn in zip(
        ("water", "vegetation", "built-up", "bare"), (_WATER, _WOODS, _TOWN, _BARE), strict=True
    )
}
