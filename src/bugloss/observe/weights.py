"""What each clue counts for its fault, in log-odds: the rows of ``weights.toml``, each with its reason and its source.

A fault of another distribution has no rows there and brings a ``FaultWeights`` of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from bugloss.core.documents import parse_toml
from bugloss.core.errors import InvalidInput

FROM_CHECK = "check:"  # begins the name of a clue that is a finding of a rule
FROM_RELATION = "relation:"  # begins the name of a clue that is a broken relation
_SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Weight:
    """One row: ``value`` counts, ``hand`` is what it was before the fit, ``source`` is "hand" or "fitted"."""

    table: str
    name: str
    value: float
    hand: float
    source: str
    why: str


@dataclass(frozen=True, slots=True)
class FaultWeights:
    """What the clues of one fault count."""

    clues: Mapping[str, float] = field(default_factory=dict)

    def of(self, clue: str) -> float:
        """What a clue counts; one without a row is an error in the fault."""
        if clue not in self.clues:
            raise InvalidInput(f"the clue '{clue}' has no weight.", hint="Add a row to observe/weights.toml.")
        return self.clues[clue]

    @property
    def seen(self) -> tuple[str, ...]:
        """Names of the clues that a fault looks for itself."""
        return tuple(name for name in self.clues if not name.startswith((FROM_CHECK, FROM_RELATION)))

    @property
    def rules(self) -> tuple[str, ...]:
        """Rules of check whose findings count for the fault."""
        return tuple(name.removeprefix(FROM_CHECK) for name in self.clues if name.startswith(FROM_CHECK))

    @property
    def relations(self) -> tuple[str, ...]:
        """Relations whose break counts for the fault."""
        return tuple(name.removeprefix(FROM_RELATION) for name in self.clues if name.startswith(FROM_RELATION))


@dataclass(frozen=True, slots=True)
class SharedWeights:
    """What is the same for every fault."""

    prior: float  # log-odds of a fault before any clue
    hint: float  # what a symptom at advice level counts, against a warning
    slope: float  # confidence grows with the exponential of slope times log-odds


def read_rows() -> Iterator[Weight]:
    """Every row of the table."""
    text = files("bugloss.observe").joinpath("weights.toml").read_text(encoding="utf-8")
    for table, rows in parse_toml(text).items():
        for name, row in rows.items():
            yield _row(table, name, row)


def _row(table: str, name: str, row: Mapping[str, Any]) -> Weight:
    return Weight(table, name, row["value"], row.get("hand", row["value"]), row["from"], row["why"])


@cache
def _values() -> Mapping[str, Mapping[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for row in read_rows():
        found.setdefault(row.table, {})[row.name] = row.value
    return found


def weights_of(fault: str) -> FaultWeights:
    """The rows of a fault; none for a fault that is not ours."""
    return FaultWeights(_values().get(fault, {}))


def shared_weights() -> SharedWeights:
    """Prior, hint and calibration."""
    return SharedWeights(**_values()[_SHARED])
