"""dlRepro's association mining, rerun: its Tables 5 to 8 from the transactions, with what the paper prints beside.

Shah, Rahman, Khomh: Towards Enhancing the Reproducibility of Deep Learning Bugs: An Empirical Study, EMSE 2024.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bugloss.core.taxonomy import EditAction, Information
from bugloss.study.printed import Printed, printed_tables
from bugloss.study.result import Cell, StudiedTable, StudyResult
from bugloss.triage.associations import AssociationRule, frequent_itemsets, mine
from bugloss.triage.transactions import (
    TYPES,
    Reproduced,
    ReproducedBugs,
    as_items,
    read_transactions,
    shipped,
    type_rules,
    within,
)

SOURCE = (
    'Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs: An Empirical Study", EMSE 2024'
)
Kind = type[EditAction] | type[Information]
_TYPE_TITLES = {"T": "Training", "M": "Model", "I": "Tensor", "A": "API", "G": "GPU", "X": "Mixed"}
_TOP = {EditAction: 5, Information: 3}  # as the paper lists them
LEAST_CONFIDENCE = 0.3  # the paper's


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a table: what the data say, what the paper prints, and why they differ if they do."""

    group: str
    item: str
    count: int
    of: int
    value: float
    lift: float | None = None
    printed: float | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class RebuiltTable:
    """A table of the paper, rebuilt."""

    number: int
    title: str
    scope: str
    lines: tuple[Line, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mining:
    """Counts of one run of Apriori."""

    kind: str
    scope: str
    transactions: int
    itemsets: int
    rules: int
    confident_type_rules: int
    printed: str = ""


@dataclass(frozen=True, slots=True)
class AprioriStudy:
    """Everything that the study yields; ``rules`` hold all rules from a type to one item, per kind and scope."""

    tables: tuple[RebuiltTable, ...]
    mining: tuple[Mining, ...]
    rules: tuple[tuple[str, str, AssociationRule], ...] = field(default=())

    @property
    def result(self) -> StudyResult:
        """The tables as rows, for files and plots."""
        return StudyResult("apriori", SOURCE, (*(_as_rows(table) for table in self.tables), _minings(self.mining)))


def _as_rows(table: RebuiltTable) -> StudiedTable:
    columns = ("entry", "bugs", "of", "data", "lift", "paper", "remark")
    number = f"table-{table.number}" if table.number else "rules"
    name = f"{number}-{'-'.join(re.findall(r'[a-z0-9]+', table.scope.lower()))}"
    rows = tuple(_as_row(line) for line in table.lines)
    return StudiedTable(name, f"{table.title}, {table.scope}", columns, rows, table.remarks, drawn=("data",))


def _as_row(line: Line) -> tuple[Cell, ...]:
    entry = f"{line.group}: {line.item}" if line.group else line.item
    lift = None if line.lift is None else round(line.lift, 4)
    return (entry, line.count, line.of, round(line.value, 4), lift, line.printed, line.remark)


def _minings(minings: Sequence[Mining]) -> StudiedTable:
    columns = ("kind", "scope", "transactions", "itemsets", "rules", "confident rules from a type", "paper")
    rows = tuple(
        (one.kind, one.scope, one.transactions, one.itemsets, one.rules, one.confident_type_rules, one.printed)
        for one in minings
    )
    return StudiedTable("mining", "Runs of Apriori", columns, rows)


def study_apriori() -> AprioriStudy:
    """The paper's tables for its 85 bugs and for the 148 of its final version."""
    actions, information = shipped(EditAction), shipped(Information)
    scopes = [(scope, within(actions, scope), within(information, scope)) for scope in ReproducedBugs]
    tables = [table for scope, first, second in scopes for table in _tables(scope.value, first, second)]
    minings = [_mining(kind, scope.value, bugs) for scope, *both in scopes for kind, bugs in _kinds(both)]
    rules = [
        (kind.facet(), scope.value, rule)
        for scope, *both in scopes
        for kind, bugs in _kinds(both)
        for rule in type_rules(bugs)
    ]
    return AprioriStudy(tuple(tables), tuple(minings), tuple(rules))


def study_own(path: Path) -> AprioriStudy:
    """The same mining over somebody's own transactions; their items keep the letters or words they have."""
    bugs = read_transactions(path)
    name = path.name
    lines = tuple(_line(rule, name, None) for rule in type_rules(bugs))
    return AprioriStudy(
        (RebuiltTable(0, "Rules from a type to an item", name, lines),),
        (_mining(None, name, bugs),),
        tuple((name, name, rule) for rule in type_rules(bugs)),
    )


def _kinds(both: Sequence[Sequence[Reproduced]]) -> Iterator[tuple[Kind, Sequence[Reproduced]]]:
    yield EditAction, both[0]
    yield Information, both[1]


def _tables(scope: str, actions: Sequence[Reproduced], information: Sequence[Reproduced]) -> Iterator[RebuiltTable]:
    printed = printed_tables(scope)
    yield RebuiltTable(5, "Reproduced bugs by type", scope, tuple(_type_lines(actions, printed)), printed.remarks(5))
    yield RebuiltTable(
        6,
        "How often reports have the information",
        scope,
        tuple(_share_lines(information, printed)),
        printed.remarks(6),
    )
    yield _rule_table(7, "Useful information by type", scope, Information, information, printed)
    yield _rule_table(8, "Edit actions by type", scope, EditAction, actions, printed)


def _type_lines(bugs: Sequence[Reproduced], printed: Printed) -> Iterator[Line]:
    counts = Counter(bug.type for bug in bugs)
    for letter in TYPES:
        title = _TYPE_TITLES[letter]
        share = counts[letter] / len(bugs)
        yield Line("", title, counts[letter], len(bugs), share, None, *printed.entry(5, "", title, counts[letter]))


def _share_lines(bugs: Sequence[Reproduced], printed: Printed) -> Iterator[Line]:
    for item in Information:
        count = sum(item.letter in bug.items for bug in bugs)
        share = count / len(bugs)
        yield Line("", item.title, count, len(bugs), share, None, *printed.entry(6, "", item.title, share))


def _rule_table(
    number: int, title: str, scope: str, kind: Kind, bugs: Sequence[Reproduced], printed: Printed
) -> RebuiltTable:
    titles = {item.letter: item.title for item in kind}
    lines = []
    for letter in "TMIAG":
        rules = [rule for rule in type_rules(bugs) if rule.antecedent == {f"type:{letter}"}]
        last = rules[min(_TOP[kind], len(rules)) - 1].confidence if rules else 0.0
        lines += [
            _line(rule, _TYPE_TITLES[letter], titles, printed, number)
            for rule in rules
            if rule.confidence >= last or printed.has(number, _TYPE_TITLES[letter], titles[next(iter(rule.consequent))])
        ]
    return RebuiltTable(number, title, scope, tuple(lines), printed.remarks(number))


def _line(
    rule: AssociationRule, group: str, titles: dict[str, str] | None, printed: Printed | None = None, number: int = 0
) -> Line:
    letter = next(iter(rule.consequent))
    item = titles[letter] if titles else letter
    if titles is None:
        group = next(iter(rule.antecedent)).removeprefix("type:")
    value = rule.confidence
    beside = printed.entry(number, group, item, value) if printed else (None, "")
    return Line(group, item, rule.count, rule.of, value, rule.lift, *beside)


def _mining(kind: Kind | None, scope: str, bugs: Sequence[Reproduced]) -> Mining:
    transactions = [as_items(bug) for bug in bugs]
    confident = [rule for rule in type_rules(bugs) if rule.confidence >= LEAST_CONFIDENCE]
    printed = {
        (EditAction, "85"): "126 itemsets, 284 rules, 23 kept",
        (Information, "85"): "27 itemsets, 34 rules, 20 kept",
    }
    return Mining(
        kind=kind.facet() if kind else scope,
        scope=scope,
        transactions=len(bugs),
        itemsets=len(frequent_itemsets(transactions)),
        rules=sum(1 for _ in mine(transactions)),
        confident_type_rules=len(confident),
        printed=printed.get((kind, scope), "") if kind else "",
    )
