"""The one place that knows colours, marker shapes and line styles, for both renderers.

A scene never names a colour. It names a class (0 to 9) or a role ("boundary", "mistake", ...),
and this module says what that looks like on white paper and on a dark screen. Classes differ in
colour *and* marker shape *and* line style, so that no picture depends on colour vision.
"""

from __future__ import annotations

from dataclasses import dataclass

Rgb = tuple[float, float, float]

LIGHT: dict[str, str] = {
    "paper": "#ffffff",
    "ink": "#1a1a1a",
    "muted": "#595959",
    "grid": "#e4e4e4",
    "accent": "#8e2a8b",
    "focus": "#8a5a00",
    "hand": "#d100d1",
    "class0": "#0067a5",
    "class1": "#c14a00",
    "class2": "#124a1e",
    "class3": "#9c4fa0",
    "class4": "#806200",
    "class5": "#5c5c5c",
    "class6": "#bf1f5e",
    "class7": "#557200",
    "class8": "#33429f",
    "class9": "#007884",
}

DARK: dict[str, str] = {
    "paper": "#111111",
    "ink": "#ededed",
    "muted": "#b4b4b4",
    "grid": "#333333",
    "accent": "#ec9fe8",
    "focus": "#ffd24d",
    "hand": "#ff5cff",
    "class0": "#58b4f2",
    "class1": "#ff9d52",
    "class2": "#c4f5b0",
    "class3": "#d7a4e3",
    "class4": "#e3c43a",
    "class5": "#bdbdbd",
    "class6": "#ff8ab4",
    "class7": "#b4d23c",
    "class8": "#a3aeff",
    "class9": "#57d5e3",
}

CLASS_COUNT = 10
AREA_OPACITY = 0.16  # of half-planes, regions and the tints of a class map
TEXT_COLOURS = ("ink", "muted")


@dataclass(frozen=True)
class Marker:
    """A marker's shape: its outline as relative steps from its middle (an SVG path in a square of
    side 2) and Matplotlib's name for it."""

    outline: str
    matplotlib: str


MARKERS: dict[str, Marker] = {
    "circle": Marker("m-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0z", "o"),
    "triangle": Marker("m0 -1l1 2l-2 0z", "^"),
    "square": Marker("m-.85 -.85l1.7 0l0 1.7l-1.7 0z", "s"),
    "diamond": Marker("m0 -1.2l1.2 1.2l-1.2 1.2l-1.2 -1.2z", "D"),
    "plus": Marker("m-.4 -1.1l.8 0l0 .7l.7 0l0 .8l-.7 0l0 .7l-.8 0l0 -.7l-.7 0l0 -.8l.7 0z", "P"),
    "down": Marker("m0 1l1 -2l-2 0z", "v"),
    "cross": Marker(
        "m-1 -.5l.5 -.5l.5 .5l.5 -.5l.5 .5l-.5 .5l.5 .5l-.5 .5l-.5 -.5l-.5 .5l-.5 -.5l.5 -.5z", "X"
    ),
    "left": Marker("m-1 0l2 -1l0 2z", "<"),
    "right": Marker("m1 0l-2 -1l0 2z", ">"),
    "pentagon": Marker("m0 -1.1l1.05 .76l-.4 1.23l-1.3 0l-.4 -1.23z", "p"),
}

CLASS_MARKERS: tuple[str, ...] = tuple(MARKERS)

DASHES: tuple[tuple[float, ...], ...] = ((), (7, 4), (2, 3), (9, 3, 2, 3), (4, 2))


@dataclass(frozen=True)
class LineStyle:
    """How a line is drawn: a key of the palette, a width in pixels and a dash pattern."""

    colour: str
    width: float
    dash: tuple[float, ...] = ()


ROLES: dict[str, LineStyle] = {
    "boundary": LineStyle("ink", 2.2),
    "old": LineStyle("muted", 1.8, (6, 4)),
    "margin": LineStyle("ink", 1.4, (7, 4)),
    "weights": LineStyle("accent", 2.6),
    "example": LineStyle("focus", 2.2),
    "mistake": LineStyle("ink", 1.6),
    "outline": LineStyle("ink", 1.2),
    "guide": LineStyle("muted", 1.2, (2, 3)),
    "wire": LineStyle("muted", 1.2),
    "halo": LineStyle("paper", 3.6),  # below a line that crosses a photo
    # curves that stand for no class: losses, bounds, paths
    "path1": LineStyle("class2", 2.2),
    "path2": LineStyle("class6", 2.2, (7, 4)),
    "path3": LineStyle("class4", 2.2, (2, 3)),
    "path4": LineStyle("class9", 2.2, (9, 3, 2, 3)),
}


def line_style(role: str) -> LineStyle:
    """Style of a role: one of ROLES, or "class0" to "class9" (colour and dashes of that class)."""
    if role in ROLES:
        return ROLES[role]
    if role in LIGHT and role.startswith("class"):
        return LineStyle(role, 2.2, DASHES[int(role[5:]) % len(DASHES)])
    known = ", ".join([*ROLES, "class0 to class9"])
    raise ValueError(f"role: found {role!r}, expected one of {known}")


def rgb(colour: str) -> Rgb:
    """Red, green and blue, each in 0..1, of a colour written as `#rrggbb`."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def mix(colour: str, share: float, background: str) -> str:
    """The colour that is seen when `share` of `colour` lies over `background`."""
    pairs = zip(rgb(colour), rgb(background), strict=True)
    return "#" + "".join(f"{round(255 * (share * a + (1 - share) * b)):02x}" for a, b in pairs)


def luminance(colour: str) -> float:
    """Relative luminance in 0..1 (WCAG 2): 0.2126 R + 0.7152 G + 0.0722 B of linear light."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21: (L1 + 0.05) / (L2 + 0.05) with L1 >= L2 (WCAG 2)."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def stylesheet() -> str:
    """CSS that gives the widget the colours of the page's theme, or of the reader's system."""

    def variables(colours: dict[str, str]) -> str:
        return " ".join(f"--lm-{name}: {value};" for name, value in colours.items())

    dark = '[data-jp-theme-light="false"] .lm, .vscode-dark .lm, .vscode-high-contrast .lm'
    unknown = "body:not([data-jp-theme-light], .vscode-light, .vscode-high-contrast-light) .lm"
    return (
        f".lm {{ {variables(LIGHT)} }}\n{dark} {{ {variables(DARK)} }}\n"
        f"@media (prefers-color-scheme: dark) {{ {unknown} {{ {variables(DARK)} }} }}\n"
    )
