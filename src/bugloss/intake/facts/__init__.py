"""The facts that a report states, each with the words that say so.

One module a kind of fact, each with one function: a body enters, facts leave. Nothing is guessed: what is not written
down is not a fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from bugloss.core.report import Block, Fact
from bugloss.intake.facts.exceptions import find_exceptions
from bugloss.intake.facts.expectations import find_expectations
from bugloss.intake.facts.named_things import find_named_things
from bugloss.intake.facts.settings import find_settings
from bugloss.intake.facts.shapes import find_shapes
from bugloss.intake.facts.versions import find_versions

Finder = Callable[[str, Sequence[Block]], Iterator[Fact]]

FINDERS: tuple[Finder, ...] = (
    find_shapes,
    find_versions,
    find_named_things,
    find_settings,
    find_exceptions,
    find_expectations,
)
_MOST = 400  # facts of one finder: more is a table, not a report


def find_facts(body: str, blocks: Sequence[Block]) -> tuple[Fact, ...]:
    """All facts, in the order of the text."""
    found = {fact: None for finder in FINDERS for fact in islice(finder(body, blocks), _MOST)}
    return tuple(sorted(found, key=lambda fact: (fact.start, fact.end, fact.kind.value)))
