"""Submissions that carry somebody else's name: in their path, in a cell, in an output."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

WORD = re.compile(r"[^\W_]+")
SHORTEST = 4  # letters of the longest word of a name; shorter ones stand everywhere


class Identities:
    """The names of a class, to be looked for in what others hand in."""

    def __init__(self, students: Iterable[str], common: Iterable[str]) -> None:
        """The words of the `common` texts, which everybody got, say nothing."""
        usual = {word for text in common for word in WORD.findall(text.casefold())}
        self.by_word: dict[str, set[str]] = defaultdict(set)
        for student in students:
            words = WORD.findall(student.casefold())
            longest = max(words, key=len, default="")
            if len(longest) >= SHORTEST and not set(words) <= usual:
                self.by_word[longest].add(student)

    def others_in(self, text: str, owner: str) -> list[str]:
        """The students whose whole name stands in a text, but for its owner."""
        text = text.casefold()
        words = set(WORD.findall(text))
        found = {name for word in words & self.by_word.keys() for name in self.by_word[word]}
        return sorted(name for name in found - {owner} if _stands_in(name, owner, words, text))


def _stands_in(name: str, owner: str, words: set[str], text: str) -> bool:
    wanted = WORD.findall(name.casefold())
    if set(wanted) <= set(WORD.findall(owner.casefold())) or not set(wanted) <= words:
        return False
    phrase = r"[\W_]+".join(wanted)
    return re.search(rf"(?<![^\W_]){phrase}(?![^\W_])", text) is not None
