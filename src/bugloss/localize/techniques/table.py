"""The techniques that come with bugloss; packs of others add to them under the group ``techniques``."""

from __future__ import annotations

from bugloss.core.errors import InvalidInput
from bugloss.core.registry import load
from bugloss.core.suggestion import did_you_mean
from bugloss.localize.contract import Technique
from bugloss.localize.ranker import Bugloss
from bugloss.localize.techniques.blia import Blia
from bugloss.localize.techniques.bluir import Bluir
from bugloss.localize.techniques.bm25 import Bm25
from bugloss.localize.techniques.buglocator import BugLocator

GROUP = "techniques"
OWN: dict[str, type[Technique]] = {kind.name: kind for kind in (Bugloss, Bm25, BugLocator, Bluir, Blia)}


def technique(name: str) -> Technique:
    """The technique of that name."""
    if name in OWN:
        return OWN[name]()
    others = load(GROUP, Technique)
    if name in others:
        return others[name]
    known = [*OWN, *others]
    hint = did_you_mean(name, known) or f"Known: {', '.join(known)}."
    raise InvalidInput(f"no localization technique is called '{name}'.", hint=hint)
