"""The pages that Python writes are found, and every listed page is there."""

from __future__ import annotations

import re

from builder.collected import DOCS, collected_pages, contents

from tests.conftest import ROOT


def test_every_page_of_the_contents_exists_and_every_page_is_listed_or_says_why_not() -> None:
    written = collected_pages()
    without_ending = {re.sub(r"\.(md|rst)$", "", name): text for name, text in written.items()}
    listed = [name for names in contents().values() for name in names]
    stored = {
        f"{folder}/{path.stem}"
        for folder in ("notebooks", "exercises")
        for path in (ROOT / folder).glob("*.ipynb")
    }
    own = {"exercises/index", *(f"about/{name}" for name in DOCS)}
    assert set(listed) <= stored | set(without_ending) | own
    assert len(listed) == len(set(listed))
    tables = " ".join(re.findall(r"toctree.*?```", "\n".join(written.values()), re.DOTALL))
    for name, text in without_ending.items():
        inside = name in listed or name.rpartition("/")[2] in tables or "orphan: true" in text
        assert inside, f"{name} cannot be reached from the contents"


def test_the_start_page_and_the_list_of_exercises_are_the_builders_own() -> None:
    assert not {"index.md", "exercises/index.md"} & set(collected_pages())
