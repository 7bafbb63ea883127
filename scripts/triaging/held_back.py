"""Keeps away from training what the study's data hold back: reports that others may judge triage by."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable

# The README of localization_labels: a report is held back when its project is, else by the hash of ``project#number``.
# It states the bound for projects; the labelled rows show that the one for reports is no lower.
_SHARE = 60
_LOOKED_AT = 4000  # characters
_RUN = 4  # words
_COMMON = 30  # texts that share a run of words: then it is a form to fill in, such as a list of versions
_MOST_IN_COMMON = 0.5
_WORD = re.compile(r"\w+")


def is_open(project: str, number: str) -> bool:
    """Whether the data surely do not hold a report back."""
    return _place(project.lower()) < _SHARE and _place(f"{project}#{number}") < _SHARE


def _place(key: str) -> int:
    return int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) % 100


class Repeats:
    """Tells texts that say again what one of the known texts says."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = [_runs(text) for text in known]
        self._places: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, runs in enumerate(self._known):
            for run in runs:
                self._places[run].append(place)

    def has(self, text: str) -> bool:
        """Whether half of what a text and a known one say is the same."""
        runs = _runs(text)
        shared = Counter(
            at for run in runs if len(self._places.get(run, ())) < _COMMON for at in self._places.get(run, ())
        )
        return any(count / len(runs | self._known[at]) > _MOST_IN_COMMON for at, count in shared.most_common(3))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text[:_LOOKED_AT].lower())
    return {tuple(words[at : at + _RUN]) for at in range(max(len(words) - _RUN + 1, 1))}
