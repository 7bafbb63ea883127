"""What messages of every framework demand, by concept: axes, types, ranges, choices, lengths, the order of calls.

Each row of ``concepts.toml`` says by which words a concept is known, what it means and what to do; the thing that is
meant, what it should be and what came are read from the sentence (``demand``). These patterns are tried after the
families that know single messages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from bugloss.core.documents import parse_toml
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern
from bugloss.observe.crash.families.demands import tell_demand
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene

_USUAL_CONFIDENCE = 0.7  # a form of sentence says less than a message that is known word by word
_SHARED = re.compile(r"<(\w+)>")


@dataclass(frozen=True, slots=True)
class _Concept:
    """Tells a demand with the advice of its concept."""

    advice: str

    def __call__(self, scene: Scene, match: re.Match[str]) -> CrashText:
        return tell_demand(scene, self.advice)


def _patterns() -> tuple[Pattern, ...]:
    text = files("bugloss.observe.crash.families").joinpath("concepts.toml").read_text(encoding="utf-8")
    table = parse_toml(text)
    return tuple(_pattern(row, table["words"]) for row in table["concept"])


def _pattern(row: Mapping[str, Any], shared: Mapping[str, str | list[str]]) -> Pattern:
    examples = tuple(Example(message, (says,), "ValueError") for message, says in row["examples"])
    return Pattern(
        row["cause"],
        CrashKind(row["kind"]),
        FixPattern(row["fix-pattern"]),
        tuple(row["marks"]),
        _expression(row, shared),
        _Concept(row["advice"]),
        examples,
        row.get("confidence", _USUAL_CONFIDENCE),
        general=True,
    )


def _expression(row: Mapping[str, Any], shared: Mapping[str, str | list[str]]) -> str:
    """The row's words as one expression, with the shared ones in their places."""
    alternatives = {name: words if isinstance(words, str) else "|".join(words) for name, words in shared.items()}
    filled = _SHARED.sub(lambda name: f"(?:{alternatives[name[1]]})", "|".join(row["words"]))
    return f"(?i){filled}" if row.get("any-case") else filled


FAMILY = CrashFamily("concepts", _patterns())
