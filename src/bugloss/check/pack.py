"""The rules that this room brings itself: every ``Rule`` that a module of ``rules/`` defines."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from bugloss.check import rules
from bugloss.check.contract import Rule


def _rules() -> tuple[object, ...]:
    found: list[object] = []
    for module in iter_modules(rules.__path__):
        try:
            members = vars(import_module(f"{rules.__name__}.{module.name}")).values()
        except Exception as error:  # one broken rule must not hide the rest: the registry reports what it cannot use
            found.append(error)
            continue
        found += [kind() for kind in members if _is_rule(kind, module.name)]
    return tuple(found)


def _is_rule(kind: object, module: str) -> bool:
    """A rule that the module defines itself, not one that it imports."""
    return (
        isinstance(kind, type)
        and issubclass(kind, Rule)
        and kind is not Rule
        and kind.__module__.rsplit(".", 1)[-1] == module
    )


PLUGINS = {"rule": _rules()}
