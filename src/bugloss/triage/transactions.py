"""The reproduced bugs that associations are mined from, and rules from a bug's type to what it takes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TypeVar

from bugloss.core.errors import InvalidInput
from bugloss.core.named_file import read_named_text
from bugloss.core.taxonomy import Category, EditAction, Information
from bugloss.triage.associations import AssociationRule, Transaction, mine

FOLDER = Path(__file__).parent / "data"
FILES = {EditAction: FOLDER / "edit_actions.csv", Information: FOLDER / "information.csv"}
TYPES = {
    "T": Category.TRAINING,
    "M": Category.MODEL,
    "I": Category.TENSOR,
    "A": Category.API,
    "G": Category.GPU,
    "X": None,  # bugs of several types
}
Item = TypeVar("Item", EditAction, Information)


class ReproducedBugs(Enum):
    """Which reproduced bugs: the 85 from Stack Overflow that the paper prints, or all 148 of its final version."""

    STACK_OVERFLOW = "85"
    ALL = "148"


@dataclass(frozen=True, slots=True)
class Reproduced:
    """One reproduced bug: where it was reported, the letter of its type, and its items' letters."""

    source: str
    type: str
    items: str


@dataclass(frozen=True, slots=True)
class Association:
    """How often bugs of a type have an item."""

    item: EditAction | Information
    rule: AssociationRule


def read_transactions(path: Path) -> tuple[Reproduced, ...]:
    """A table with the columns source, type and items."""
    try:
        reader = csv.DictReader(io.StringIO(read_named_text(path)))
        if not {"source", "type", "items"} <= set(reader.fieldnames or ()):
            raise InvalidInput(f"{path} lacks the columns source, type and items.", hint="One row per bug.")
        return tuple(Reproduced(row["source"] or "", row["type"] or "", row["items"] or "") for row in reader)
    except csv.Error as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error


@cache
def shipped(kind: type[EditAction] | type[Information]) -> tuple[Reproduced, ...]:
    """The transactions that come with bugloss."""
    return read_transactions(FILES[kind])


def within(bugs: Iterable[Reproduced], scope: ReproducedBugs) -> tuple[Reproduced, ...]:
    """The bugs of a scope."""
    return tuple(bug for bug in bugs if scope is ReproducedBugs.ALL or bug.source == "stackoverflow")


def as_items(bug: Reproduced) -> Transaction:
    """A bug as a transaction: ``type:T`` and its letters."""
    return frozenset({f"type:{bug.type}", *bug.items})


def type_rules(bugs: Sequence[Reproduced]) -> tuple[AssociationRule, ...]:
    """All rules from a type alone to one item alone, the most confident first."""
    rules = [rule for rule in mine([as_items(bug) for bug in bugs], largest=2) if _from_type(rule)]
    return tuple(sorted(rules, key=lambda rule: (sorted(rule.antecedent), -rule.confidence, sorted(rule.consequent))))


def _from_type(rule: AssociationRule) -> bool:
    one_each = len(rule.antecedent) == 1 == len(rule.consequent)
    return one_each and next(iter(rule.antecedent)).startswith("type:")


def associations(category: Category, kind: type[Item], scope: ReproducedBugs) -> tuple[Association, ...]:
    """What bugs of a category take, the most frequent first; of a category with none on record, what all bugs take."""
    bugs = within(shipped(kind), scope)
    letter = next((letter for letter, own in TYPES.items() if own is category), "")
    items = {item.letter: item for item in kind}
    rules = [rule for rule in type_rules(bugs) if rule.antecedent == {f"type:{letter}"}]
    found = [Association(items[next(iter(rule.consequent))], rule) for rule in rules or _overall(bugs)]
    return tuple(sorted(found, key=lambda found: -found.rule.confidence))


def _overall(bugs: Sequence[Reproduced]) -> list[AssociationRule]:
    """Bugs of any type as if they were of one."""
    return list(type_rules([Reproduced(bug.source, "*", bug.items) for bug in bugs]))
