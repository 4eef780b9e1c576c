"""Formulas for KaTeX beside the pages: Sphinx writes the LaTeX, `formulas.js` sets it."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.math import get_node_equation_number


def inline(self: Any, node: nodes.math) -> None:
    """A formula in a line."""
    self.body.append(self.starttag(node, "span", "", CLASS="formula"))
    self.body.append(self.encode(node.astext()) + "</span>")
    raise nodes.SkipNode


def display(self: Any, node: nodes.math_block) -> None:
    """A formula on a line of its own; one with a label has a number and can be linked to."""
    self.body.append(self.starttag(node, "div", "", CLASS="formula display"))
    number = get_node_equation_number(self, node) if node["number"] else ""
    tag = f"\\tag{{{number}}}" if number else ""
    self.body.append(self.encode(node.astext() + tag) + "</div>\n")
    raise nodes.SkipNode


def where_needed(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """What sets formulas, for a page that has any."""
    if 'class="formula' in context.get("body", ""):
        app.add_css_file("katex/katex.min.css")
        app.add_js_file("katex/katex.min.js", loading_method="defer")
        app.add_js_file("formulas.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    """The renderer `katex`, and what a page needs for it."""
    app.add_html_math_renderer("katex", (inline, None), (display, None))
    app.connect("html-page-context", where_needed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
