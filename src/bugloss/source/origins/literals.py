"""Literals and other expressions whose parts say where a wanted part comes from, without looking anything up."""

from __future__ import annotations

import ast
from collections.abc import Callable

from bugloss.source.origins.parts import EACH
from bugloss.source.origins.place import PlaceKind
from bugloss.source.origins.settings import entries
from bugloss.source.origins.sought import Sought


def part_of(sought: Sought) -> Sought | None:
    """The part of a literal, a comprehension or a wrapped expression that is wanted."""
    step = _STEPS.get(type(sought.node))
    return None if step is None else step(sought)


def _sequence(sought: Sought) -> Sought | None:
    node, first = sought.node, sought.wanted[0] if sought.wanted else None
    assert isinstance(node, ast.Tuple | ast.List)
    if first is None or first.attribute:
        return None
    index = first.key if isinstance(first.key, int) else 0 if first == EACH and len(node.elts) == 1 else None
    if index is None or not -len(node.elts) <= index < len(node.elts):
        return None
    if any(isinstance(one, ast.Starred) for one in node.elts):
        return None
    return sought.at(node.elts[index], sought.wanted[1:], PlaceKind.ELEMENT)


def _dictionary(sought: Sought) -> Sought | None:
    assert isinstance(sought.node, ast.Dict)
    if not sought.wanted:
        return None
    found = list(entries(sought.node, sought.wanted[0].key))
    if found:
        return sought.at(found[-1], sought.wanted[1:], PlaceKind.ELEMENT)
    spread = [value for key, value in zip(sought.node.keys, sought.node.values, strict=True) if key is None]
    return sought.part(spread[-1], sought.wanted) if spread else None


def _comprehension(sought: Sought) -> Sought | None:
    if not sought.wanted or sought.wanted[0].attribute:
        return None
    element = sought.node.value if isinstance(sought.node, ast.DictComp) else getattr(sought.node, "elt", None)
    return None if element is None else sought.at(element, sought.wanted[1:], PlaceKind.ELEMENT)


def _same(sought: Sought) -> Sought | None:
    value = getattr(sought.node, "value", None)
    return sought.part(value, sought.wanted) if isinstance(value, ast.expr) else None


_STEPS: dict[type[ast.AST], Callable[[Sought], Sought | None]] = {
    ast.Tuple: _sequence, ast.List: _sequence, ast.Dict: _dictionary, ast.ListComp: _comprehension,
    ast.GeneratorExp: _comprehension, ast.SetComp: _comprehension, ast.DictComp: _comprehension, ast.Await: _same,
    ast.NamedExpr: _same,
}  # fmt: skip
