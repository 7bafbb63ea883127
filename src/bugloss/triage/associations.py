"""What goes with what in reproduced bugs: Apriori over transactions, rules with support, confidence and lift.

Written by hand because a recommendation must not wait for pandas; a test holds it against mlxtend where that is
installed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Itemset = frozenset[str]
Transaction = frozenset[str]


@dataclass(frozen=True, slots=True)
class AssociationRule:
    """If a bug has ``antecedent`` it has ``consequent``: so often, of so many."""

    antecedent: Itemset
    consequent: Itemset
    count: int  # transactions with both
    of: int  # transactions with the antecedent
    consequents: int  # transactions with the consequent
    transactions: int

    @property
    def support(self) -> float:
        """The share of all transactions that have both."""
        return self.count / self.transactions

    @property
    def confidence(self) -> float:
        """The share of the transactions with the antecedent that have the consequent as well."""
        return self.count / self.of

    @property
    def lift(self) -> float:
        """How much more often the consequent comes with the antecedent than without it: at 1 they are independent."""
        return self.confidence * self.transactions / self.consequents


def frequent_itemsets(
    transactions: Sequence[Transaction], least: int = 1, largest: int | None = None
) -> dict[Itemset, int]:
    """Every itemset that at least ``least`` transactions have, with how many do (Agrawal and Srikant, 1994)."""
    counts = Counter(item for transaction in transactions for item in transaction)
    level: dict[Itemset, int] = {frozenset({item}): count for item, count in counts.items() if count >= least}
    found = dict(level)
    while level and len(next(iter(level))) != largest:
        level = _count(transactions, _candidates(level), least)
        found |= level
    return found


def _candidates(level: Mapping[Itemset, int]) -> set[Itemset]:
    """Itemsets one larger, all of whose parts are frequent."""
    size = len(next(iter(level))) + 1
    joined = {first | second for first, second in combinations(level, 2) if len(first | second) == size}
    return {items for items in joined if all(items - {item} in level for item in items)}


def _count(transactions: Sequence[Transaction], candidates: Iterable[Itemset], least: int) -> dict[Itemset, int]:
    counts = {items: sum(items <= transaction for transaction in transactions) for items in candidates}
    return {items: count for items, count in counts.items() if count >= least}


def mine(
    transactions: Sequence[Transaction], least: int = 1, confidence: float = 0.0, largest: int | None = None
) -> Iterator[AssociationRule]:
    """Every rule between two parts of a frequent itemset that is at least so confident."""
    counts = frequent_itemsets(transactions, least, largest)
    for items, count in counts.items():
        for size in range(1, len(items)):
            for part in combinations(sorted(items), size):
                antecedent = frozenset(part)
                consequent = items - antecedent
                rule = AssociationRule(
                    antecedent, consequent, count, counts[antecedent], counts[consequent], len(transactions)
                )
                if rule.confidence >= confidence:
                    yield rule
