"""Association rules with adjustable support and confidence, as a table and as a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bugloss.core.taxonomy import EditAction, Information
from bugloss.triage.associations import AssociationRule, mine
from bugloss.triage.transactions import TYPES, ReproducedBugs, as_items, shipped, within

KINDS: dict[str, tuple[str, type[EditAction] | type[Information]]] = {
    "actions": ("Edit actions", EditAction),
    "information": ("Information in the report", Information),
}
_MOST_RULES = 300
_ROW, _TOP, _LEFT, _RIGHT, _WIDE = 34, 26, 150, 430, 640


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """Which rules to show."""

    kind: str = "actions"
    scope: ReproducedBugs = ReproducedBugs.STACK_OVERFLOW
    least: int = 2  # bugs
    confidence: int = 30  # percent
    from_type: bool = True


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule in words and numbers."""

    antecedent: str
    consequent: str
    count: int
    of: int
    support: int  # percent
    confidence: int  # percent
    lift: str


@dataclass(frozen=True, slots=True)
class Node:
    """A type or an item in the drawing."""

    label: str
    x: int
    y: int
    side: str


@dataclass(frozen=True, slots=True)
class Link:
    """A rule in the drawing; ``shade`` is its confidence, from 0 to 8."""

    path: str
    shade: int
    title: str


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules that pass, and how many there are."""

    choice: RuleChoice
    rows: tuple[RuleRow, ...]
    total: int
    transactions: int
    most: int  # bugs that the most frequent rule has
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    width: int
    height: int


def read_choice(given: dict[str, str]) -> RuleChoice:
    """What an address asks for; what it says wrongly is left out."""
    plain = RuleChoice()
    scopes = {scope.value: scope for scope in ReproducedBugs}
    return RuleChoice(
        given["kind"] if given.get("kind") in KINDS else plain.kind,
        scopes.get(given.get("scope", ""), plain.scope),
        _between(given.get("least", ""), 1, 200, plain.least),
        _between(given.get("confidence", ""), 0, 100, plain.confidence),
        given.get("rules", "type") != "all",
    )


def _between(text: str, low: int, high: int, default: int) -> int:
    return min(max(int(text), low), high) if text.isdecimal() and len(text) < 6 else default


def view_rules(choice: RuleChoice) -> RulesView:
    """The rules of a choice, the most confident first."""
    mined = _mined(choice.kind, choice.scope)
    passing = [
        rule
        for rule in mined
        if rule.count >= choice.least
        and 100 * rule.confidence >= choice.confidence
        and (not choice.from_type or _is_from_type(rule))
    ]
    ordered = sorted(passing, key=lambda rule: (-rule.confidence, -rule.count, _words(rule.antecedent, choice.kind)))
    nodes, links = _drawing([rule for rule in ordered if _is_from_type(rule)], choice.kind)
    return RulesView(
        choice,
        tuple(_row(rule, choice.kind) for rule in ordered[:_MOST_RULES]),
        len(ordered),
        mined[0].transactions if mined else 0,
        max((rule.count for rule in mined), default=1),
        tuple(nodes),
        tuple(links),
        _WIDE,
        max((node.y for node in nodes), default=0) + _TOP,
    )


@lru_cache(maxsize=4)
def _mined(kind: str, scope: ReproducedBugs) -> tuple[AssociationRule, ...]:
    bugs = within(shipped(KINDS[kind][1]), scope)
    return tuple(mine([as_items(bug) for bug in bugs], largest=3))


def _is_from_type(rule: AssociationRule) -> bool:
    one_each = len(rule.antecedent) == 1 == len(rule.consequent)
    return one_each and next(iter(rule.antecedent)).startswith("type:")


def _title(item: str, kind: str) -> str:
    if item.startswith("type:"):
        category = TYPES.get(item.removeprefix("type:"))
        return f"{category.title} bug" if category else "Bug of several types"
    return {one.letter: one.title for one in KINDS[kind][1]}.get(item, item)


def _words(items: Iterable[str], kind: str) -> str:
    return " and ".join(_title(item, kind) for item in sorted(items, key=lambda one: (":" not in one, one)))


def _row(rule: AssociationRule, kind: str) -> RuleRow:
    return RuleRow(
        _words(rule.antecedent, kind),
        _words(rule.consequent, kind),
        rule.count,
        rule.of,
        round(100 * rule.support),
        round(100 * rule.confidence),
        f"{rule.lift:.2f}",
    )


def _drawing(rules: Sequence[AssociationRule], kind: str) -> tuple[list[Node], list[Link]]:
    """Types on the left, items on the right, and a curve for each rule."""
    types = list(dict.fromkeys(next(iter(rule.antecedent)) for rule in rules))
    items = list(dict.fromkeys(next(iter(rule.consequent)) for rule in rules))
    rows = max(len(types), len(items))
    left = {name: _y(place, len(types), rows) for place, name in enumerate(types)}
    right = {name: _y(place, len(items), rows) for place, name in enumerate(items)}
    nodes = [Node(_title(name, kind), _LEFT - 8, y, "left") for name, y in left.items()]
    nodes += [Node(_title(name, kind), _RIGHT + 8, y, "right") for name, y in right.items()]
    return nodes, list(_links(rules, left, right))


def _y(place: int, members: int, rows: int) -> int:
    return round(_TOP + (place + 0.5) * _ROW * rows / members) if members else _TOP


def _links(rules: Sequence[AssociationRule], left: dict[str, int], right: dict[str, int]) -> Iterator[Link]:
    middle = (_LEFT + _RIGHT) // 2
    for rule in reversed(rules):  # the most confident on top
        start, end = left[next(iter(rule.antecedent))], right[next(iter(rule.consequent))]
        path = f"M{_LEFT} {start}C{middle} {start} {middle} {end} {_RIGHT} {end}"
        yield Link(path, min(int(rule.confidence * 9), 8), f"{rule.count} of {rule.of} ({rule.confidence:.0%})")
