"""The table of the course agrees with the files that stand in the repository."""

from importlib.util import find_spec

import pytest

from lectures_lib.chapters import CHAPTERS, Overview, chapter
from tests.conftest import ROOT

EXISTING = [c for c in CHAPTERS if (ROOT / "notebooks" / f"{c.stem}.ipynb").is_file()]


def test_numbers_and_slugs_are_unique_and_prerequisites_come_earlier() -> None:
    numbers = {c.slug: c.number for c in CHAPTERS}
    assert list(numbers.values()) == list(range(len(CHAPTERS)))
    for c in CHAPTERS:
        assert all(numbers[slug] < c.number for slug in c.prerequisites), c.slug


def test_a_chapter_is_found_by_slug_and_by_file_name() -> None:
    assert chapter("perceptron") is chapter("04_perceptron")
    with pytest.raises(ValueError, match=r"no chapter 'percepton'.*perceptron_convergence"):
        chapter("percepton")


def test_every_topic_is_a_module_with_tests() -> None:
    for topic in {topic for c in CHAPTERS for topic in c.topics}:
        assert find_spec(f"lectures_lib.{topic}"), topic
        assert (ROOT / "tests" / f"test_{topic}.py").is_file(), topic


def test_every_notebook_belongs_to_a_chapter() -> None:
    stems = {c.stem for c in CHAPTERS}
    for folder in ("notebooks", "solutions", "exercises"):
        for path in (ROOT / folder).glob("*.ipynb"):
            assert path.stem in stems, path.name


@pytest.mark.parametrize("c", [c for c in EXISTING if c.number], ids=lambda c: c.slug)
def test_an_existing_chapter_has_all_its_parts(c) -> None:
    for part in (
        f"solutions/{c.stem}.ipynb",
        f"exercises/{c.stem}.ipynb",
        f"lectures_lib/chapters/{c.slug}/exercises.py",
    ):
        assert (ROOT / part).is_file(), part


def test_the_overview_links_what_stands_and_announces_the_rest(tmp_path) -> None:
    (tmp_path / "04_perceptron.ipynb").write_text("{}", encoding="utf-8")
    overview = Overview(tmp_path)
    markdown = overview._repr_markdown_()
    assert "| 04 | [The perceptron](04_perceptron.ipynb) | 50 + 55 | 03 |" in markdown
    assert "| |" not in markdown  # a header without a word says nothing to a screen reader
    assert "Decision theory: Bayes, costs, and the best one can do (to come)" in markdown
    assert "04   50 + 55 min  needs 03        The perceptron\n" in repr(overview)
