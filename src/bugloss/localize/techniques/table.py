"""The techniques that come with bugloss; packs of others add to them under the group ``techniques``."""

from __future__ import annotations

from importlib import import_module

from bugloss.core.errors import InvalidInput
from bugloss.core.registry import load
from bugloss.core.suggestion import did_you_mean
from bugloss.localize.contract import Technique

GROUP = "techniques"
_HERE = __package__
OWN = {  # name → module and class; a module is loaded when it is asked for, because a query must not wait for all
    "bugloss": ("bugloss.localize.ranker", "Bugloss"),
    "bugloss-meaning": (f"{_HERE}.meaning", "Meaning"),
    "bm25": (f"{_HERE}.bm25", "Bm25"),
    "buglocator": (f"{_HERE}.buglocator", "BugLocator"),
    "bluir": (f"{_HERE}.bluir", "Bluir"),
    "blia": (f"{_HERE}.blia", "Blia"),
    "dnnloc": (f"{_HERE}.dnnloc", "DnnLoc"),
    "bjxnet": (f"{_HERE}.bjxnet", "BjxNet"),
}


def technique(name: str) -> Technique:
    """The technique of that name."""
    if name in OWN:
        module, kind = OWN[name]
        made: Technique = getattr(import_module(module), kind)()
        return made
    others = load(GROUP, Technique)
    if name in others:
        return others[name]
    known = [*OWN, *others]
    hint = did_you_mean(name, known) or f"Known: {', '.join(known)}."
    raise InvalidInput(f"no localization technique is called '{name}'.", hint=hint)
