"""Attributes and elements that a program sets: ``self.width = width``, ``config["lr"] = 0.1``, fields of a class."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bugloss.source.origins.arguments import is_method
from bugloss.source.origins.bindings import FUNCTIONS, Binding, names_of
from bugloss.source.origins.parts import EACH, bound_parts
from bugloss.source.origins.place import PlaceKind
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import chain_text, targets_of

_FIELD_CLASSES = {"NamedTuple", "BaseModel", "TypedDict", "Struct"}
_FIELD_DECORATORS = {"dataclass", "define", "frozen", "attrs", "s"}


def stored_before(module: SourceModule, node: ast.Attribute | ast.Subscript) -> Binding | None:
    """The last assignment to the very same attribute or element before a use, in its function or at the top."""
    found = module.remembered(_find_stores).get(chain_text(node), ())
    home = module.enclosing(node, *FUNCTIONS)
    at = (node.lineno, node.col_offset)
    near = [one for one in found if one.since <= at and module.enclosing(one.node, *FUNCTIONS) is home]
    far = [one for one in found if home is not None and module.enclosing(one.node, *FUNCTIONS) is None]
    return near[-1] if near else far[-1] if far else None


def stores_of_key(module: SourceModule, name: str) -> Iterator[Binding]:
    """Assignments to an attribute of that name, of whatever object."""
    for text, found in module.remembered(_find_stores).items():
        if text.endswith(f".{name}"):
            yield from found


def own_stores(module: SourceModule, owner: ast.ClassDef, name: str) -> list[Binding]:
    """Assignments to an attribute in the methods of a class, in source order."""
    return module.remembered(_find_own_stores)[owner].get(name, [])


def chosen_store(module: SourceModule, stores: Sequence[Binding], use: ast.AST | None) -> Binding | None:
    """Which assignment an attribute has its value from: one before it in the same method, else the constructor's."""
    if not stores:
        return None
    homes = {one: module.enclosing(one.node, *FUNCTIONS) for one in stores}
    if use is not None:
        place, home = (getattr(use, "lineno", 0), getattr(use, "col_offset", 0)), module.enclosing(use, *FUNCTIONS)
        near = [one for one in stores if homes[one] is home and one.since <= place]
        if near:
            return replace(near[-1], certain=len(stores) == 1)
    built = [one for one in stores if getattr(homes[one], "name", "") in ("__init__", "setUp", "build", "setup")]
    return replace(built[-1] if built else stores[0], certain=len(stores) == 1)


def fields_of(module: SourceModule, owner: ast.ClassDef) -> list[str]:
    """The fields that the generated constructor of a class takes in order; none for a class that has no such thing."""
    decorators = [one.func if isinstance(one, ast.Call) else one for one in owner.decorator_list]
    decorated = any(_last(one) in _FIELD_DECORATORS for one in decorators)
    if not decorated and not any(_last(base) in _FIELD_CLASSES for base in owner.bases):
        return []
    return [
        node.target.id for node in owner.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]


def class_member(module: SourceModule, owner: ast.ClassDef, name: str) -> Binding | None:
    """What the body of a class binds to a name."""
    found = names_of(module, owner).get(name)
    return found[-1] if found else None


def is_property(function: ast.AST) -> bool:
    return any(_last(one) in {"property", "cached_property"} for one in getattr(function, "decorator_list", ()))


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _find_stores(module: SourceModule) -> dict[str, list[Binding]]:
    found: dict[str, list[Binding]] = defaultdict(list)
    for target, binding in _stores(module):
        if chain_text(target):
            found[chain_text(target)].append(binding)
    return found


def _find_own_stores(module: SourceModule) -> dict[ast.AST, dict[str, list[Binding]]]:
    found: dict[ast.AST, dict[str, list[Binding]]] = defaultdict(lambda: defaultdict(list))
    for target, binding in _stores(module):
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            owner = owner_of(module, target.value)
            if owner is not None:
                found[owner][target.attr].append(binding)
    return found


def owner_of(module: SourceModule, name: ast.Name) -> ast.ClassDef | None:
    """The class whose object a name stands for: ``self`` in a method of it."""
    function = module.enclosing(name, ast.FunctionDef, ast.AsyncFunctionDef)
    while function is not None:
        owner = module.parents.get(function)
        if isinstance(owner, ast.ClassDef) and isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            first = next(iter((*function.args.posonlyargs, *function.args.args)), None)
            return owner if first and first.arg == name.id and is_method(module, function) else None
        function = module.enclosing(function, ast.FunctionDef, ast.AsyncFunctionDef)
    return None


def _stores(module: SourceModule) -> Iterator[tuple[ast.Attribute | ast.Subscript, Binding]]:
    """Every attribute and element that the file stores to, in source order."""
    found = []
    for node in (*module.nodes[ast.Assign], *module.nodes[ast.AnnAssign], *module.nodes[ast.For]):
        value = node.iter if isinstance(node, ast.For) else getattr(node, "value", None)
        targets = [node.target] if isinstance(node, ast.For) else targets_of(node)
        for target in targets if value is not None else ():
            for bound, wanted in bound_parts(target, (EACH,) if isinstance(node, ast.For) else ()):
                if isinstance(bound, ast.Attribute | ast.Subscript):
                    since = (node.end_lineno or 0, node.end_col_offset or 0)  # type: ignore[attr-defined]
                    found.append((bound, Binding(node, value, wanted, PlaceKind.ATTRIBUTE, since)))
    yield from sorted(found, key=lambda one: one[1].since)
