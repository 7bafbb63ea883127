"""What a broken relation means: the rows of ``relations.toml``, by the name of the relation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from bugloss.core.documents import parse_toml
from bugloss.core.finding import Severity

BROKEN = "broken-relation"  # the symptom that every row shows as


@dataclass(frozen=True, slots=True)
class RelationRow:
    """How a break is reported; ``unless`` are relations whose break explains this one as well.

    ``proof`` is a fact that shows harm. Where it is wanted and missing, the model itself has to be in trouble.
    """

    severity: Severity
    says: str
    numbers: str = ""
    unless: tuple[str, ...] = ()
    proof: str = ""

    def is_proven(self, facts: Mapping[str, Any]) -> bool:
        """Whether the break alone shows harm."""
        return not self.proof or bool(facts.get(self.proof))

    def sentence(self, facts: Mapping[str, Any]) -> str:
        """What is reported, with the numbers where all of them are there."""
        try:
            shown = self.numbers.format_map({name: _shown(fact) for name, fact in facts.items()})
        except (LookupError, ValueError, TypeError):
            shown = ""
        return f"{self.says}: {shown}." if shown else f"{self.says}."


@cache
def rows() -> Mapping[str, RelationRow]:
    """Every row, by the name of its relation."""
    text = files("bugloss.observe").joinpath("relations.toml").read_text(encoding="utf-8")
    return {
        name: RelationRow(
            Severity(row["severity"]),
            row["says"],
            row.get("numbers", ""),
            tuple(row.get("unless", ())),
            row.get("proof", ""),
        )
        for name, row in parse_toml(text).items()
    }


def _shown(fact: object) -> object:
    """Lists as a person writes them, and not without end."""
    if isinstance(fact, list | tuple):
        return ", ".join(str(item)[:40] for item in fact[:6])
    return fact[:80] if isinstance(fact, str) else fact
