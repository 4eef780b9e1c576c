"""A plain Matplotlib cell in a real JupyterLab: its picture has a name and follows the theme."""

from __future__ import annotations

import io

import PIL.Image
from playwright.sync_api import Browser

from tests.browser.lab import OUTPUT, Lab, set_theme, violations

IMPORTS = "import matplotlib.pyplot as plt\nfrom lectures_lib.figures import show"
PLOT = """fig, ax = plt.subplots()
ax.plot([0, 1, 2], [1, 4, 2], color="black", label="curve")
ax.scatter([0, 1, 2], [1, 4, 2], color="0.4")
ax.set(xlabel="$x_1$", ylabel="loss", title="A walk")
plt.show()"""


def brightness(picture: bytes) -> int:
    """Of the commonest colour: that of the paper."""
    pixels = PIL.Image.open(io.BytesIO(picture)).convert("L").histogram()
    return pixels.index(max(pixels))


def test_a_plain_figure_has_a_name_and_the_colours_of_the_theme(lab: Lab, browser: Browser) -> None:
    page = lab.open(browser, "plain", [IMPORTS, PLOT])
    image = page.locator(f"{OUTPUT} img")
    assert image.count() == 1
    name = image.get_attribute("alt") or ""
    assert name.startswith("A walk; x₁ from 0 to 2; loss from 1 to 4; 3 points around (1, 2.33)")
    assert violations(page, OUTPUT, every=True) == []
    assert brightness(image.screenshot()) > 250
    set_theme(page, "dark")
    assert violations(page, OUTPUT, every=True) == []
    assert brightness(image.screenshot()) < 40
    page.context.close()
