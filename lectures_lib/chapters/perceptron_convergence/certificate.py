"""A certificate as a page: every line of the proof with its finding."""

from __future__ import annotations

import html
from dataclasses import dataclass

from lectures_lib._core.exact import decimal
from lectures_lib.perceptron import Certificate


@dataclass(frozen=True)
class CertificatePage:
    """A certificate, shown as a table in a notebook and as text elsewhere."""

    certificate: Certificate

    def _constants(self) -> str:
        found = self.certificate
        named = {"γ": found.gamma, "R²": found.R2, "‖w*‖²": found.norm2}
        shown = ["η = 1", *(f"{name} = {decimal(value)}" for name, value in named.items())]
        if found.bound is not None:
            shown.append(f"R²‖w*‖²/γ² = {decimal(found.bound)}")
        return ", ".join(shown)

    def __repr__(self) -> str:
        found = self.certificate
        rows = found.rows()
        name, formula = (max(len(row[k]) for row in rows) for k in (0, 1))
        table = [f"  {row[0]:{name}}  {row[1]:{formula}}  {row[2]}" for row in rows]
        return "\n".join([found.heading(), self._constants(), *table, found.verdict()])

    def _repr_html_(self) -> str:
        found = self.certificate
        cells = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in found.rows()
        )
        return (
            f"<table><caption>{html.escape(found.heading())}<br>"
            f"{html.escape(self._constants())}</caption>"
            "<thead><tr><th scope='col'>line</th><th scope='col'>formula</th>"
            f"<th scope='col'>finding</th></tr></thead><tbody>{cells}</tbody></table>"
            f"<p>{html.escape(found.verdict())}</p>"
        )
