"""What two failures are compared by: how a program failed, without what changes from run to run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*[A-Za-z0-9]")
_LONGEST_WORD = 40
_MOST_WORDS = 400


@dataclass(frozen=True, slots=True)
class FailureProfile:
    """A failure as the index of the corpus knows it."""

    exception: str = ""  # class
    template: str = ""  # of its telling sentence, as ``core.failure.message`` makes it
    cause: str = ""  # what crash triage calls it
    kind: str = ""  # kind of crash
    names: tuple[str, ...] = ()  # functions of libraries on the call stack, and what the crashing line calls
    words: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """The failure of a bug of the corpus, and what one wants to know of a bug that is near."""

    bug: str
    failure: FailureProfile
    title: str = ""
    fix_pattern: str = ""


def count_words(text: str) -> dict[str, int]:
    """The words of a text with how often they occur; of a very long text the most frequent ones."""
    counts = Counter(word.lower() for word in _WORD.findall(text) if 2 < len(word) <= _LONGEST_WORD)
    return dict(counts.most_common(_MOST_WORDS))
