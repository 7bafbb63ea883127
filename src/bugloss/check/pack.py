"""The rules that this room brings itself: every ``Rule`` that a module of ``rules/`` defines."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from bugloss.check import rules
from bugloss.check.contract import Rule


def _rules() -> tuple[Rule, ...]:
    found = []
    for module in iter_modules(rules.__path__):
        members = vars(import_module(f"{rules.__name__}.{module.name}")).values()
        found += [
            kind()
            for kind in members
            if isinstance(kind, type)
            and issubclass(kind, Rule)
            and kind is not Rule
            and kind.__module__.endswith(module.name)
        ]
    return tuple(found)


PLUGINS = {"rule": _rules()}
