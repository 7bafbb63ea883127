"""What gives a name its value, scope by scope."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from bugloss.source.origins.parts import EACH, Wanted, bound_parts
from bugloss.source.origins.place import PlaceKind
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import targets_of

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (*FUNCTIONS, *_COMPREHENSIONS, ast.ClassDef, ast.Module)
_ALWAYS = (0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """One way in which a name gets a value: the expression, which part of it, and from where on it counts.

    ``value`` is None where the name stands for the node itself: a parameter, a function, a class, an import.
    """

    node: ast.AST
    value: ast.expr | None = None
    wanted: Wanted = ()
    kind: PlaceKind = PlaceKind.ASSIGNED
    since: tuple[int, int] = _ALWAYS
    certain: bool = True


Scope = dict[str, list[Binding]]


def binding_of(module: SourceModule, name: str, at: ast.AST) -> Binding | None:
    """The binding that a name has where it stands: the last one before it, else one of a scope around it."""
    scopes = module.remembered(_find_scopes)
    inner = True
    for scope in _scopes_around(module, at):
        found = scopes.get(scope, {}).get(name)
        if found:
            return _before(module, found, at) if inner else replace(found[-1], certain=len(found) == 1)
        inner = inner and isinstance(scope, _COMPREHENSIONS)
    return None


def names_of(module: SourceModule, scope: ast.AST) -> Scope:
    """The names that a scope binds itself."""
    return module.remembered(_find_scopes).get(scope, {})


def _before(module: SourceModule, found: list[Binding], at: ast.AST) -> Binding:
    place = (getattr(at, "lineno", 0), getattr(at, "col_offset", 0))
    earlier = [binding for binding in found if binding.since <= place]
    if not earlier:  # a loop brings it round, or a branch
        return replace(found[-1], certain=False)
    return replace(earlier[-1], certain=len(found) == 1 or _is_sure(module, earlier[-1].node, at))


def _is_sure(module: SourceModule, binding: ast.AST, at: ast.AST) -> bool:
    """Whether the block of a binding is one around the use, so that there is no way past it."""
    block = module.parents.get(binding)
    around = at
    while around in module.parents:
        around = module.parents[around]
        if around is block:
            return True
    return False


def _scopes_around(module: SourceModule, node: ast.AST) -> Iterator[ast.AST]:
    """The scopes in which a name is looked up, innermost first; a class only for what stands right in its body."""
    below, functions = node, False
    current = module.parents.get(node)
    while current is not None:
        is_head = isinstance(below, ast.arguments) or below in getattr(current, "decorator_list", ())
        if isinstance(current, _SCOPES) and not is_head and not (functions and isinstance(current, ast.ClassDef)):
            yield current
        functions = functions or (isinstance(current, FUNCTIONS) and not is_head)
        below, current = current, module.parents.get(current)


def _find_scopes(module: SourceModule) -> dict[ast.AST, Scope]:
    scopes: dict[ast.AST, Scope] = defaultdict(lambda: defaultdict(list))
    for kind, find in _FINDERS.items():
        for node in module.nodes[kind]:
            for name, binding in find(node):
                scopes[_home(module, node, binding)][name].append(binding)
    for scope in scopes.values():
        for bindings in scope.values():
            bindings.sort(key=lambda binding: binding.since)
    return scopes


def _home(module: SourceModule, node: ast.AST, binding: Binding) -> ast.AST:
    if isinstance(node, FUNCTIONS) and isinstance(binding.node, ast.arg):
        return node
    home = module.enclosing(node, *_SCOPES) or module.tree
    while isinstance(node, ast.NamedExpr) and isinstance(home, _COMPREHENSIONS):
        home = module.enclosing(home, *_SCOPES) or module.tree
    return home


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0


def _start(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _targets(
    targets: list[ast.expr], node: ast.AST, value: ast.expr, wanted: Wanted, kind: PlaceKind, since: tuple[int, int]
) -> Iterator[tuple[str, Binding]]:
    for target in targets:
        for bound, parts in bound_parts(target, wanted):
            if isinstance(bound, ast.Name):
                yield bound.id, Binding(node, value, parts, kind, since)


def _assign(node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> Iterator[tuple[str, Binding]]:
    if node.value is not None:
        yield from _targets(targets_of(node), node, node.value, (), PlaceKind.ASSIGNED, _end(node))


def _changed(node: ast.AugAssign) -> Iterator[tuple[str, Binding]]:
    if isinstance(node.target, ast.Name):
        yield node.target.id, Binding(node, None, (), PlaceKind.CHANGED, _end(node))


def _loop(node: ast.For | ast.AsyncFor) -> Iterator[tuple[str, Binding]]:
    yield from _targets([node.target], node, node.iter, (EACH,), PlaceKind.LOOPED, _end(node.iter))


def _comprehension(node: ast.comprehension) -> Iterator[tuple[str, Binding]]:
    yield from _targets([node.target], node, node.iter, (EACH,), PlaceKind.LOOPED, _ALWAYS)


def _context(node: ast.With | ast.AsyncWith) -> Iterator[tuple[str, Binding]]:
    for item in node.items:
        if item.optional_vars is not None:
            value = item.context_expr
            yield from _targets([item.optional_vars], node, value, (), PlaceKind.ASSIGNED, _end(item.optional_vars))


def _defined(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[tuple[str, Binding]]:
    yield node.name, Binding(node, since=_start(node))
    if not isinstance(node, ast.ClassDef):
        yield from _parameters(node)


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[tuple[str, Binding]]:
    given = node.args
    for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
        if argument is not None:
            yield argument.arg, Binding(argument)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Binding]]:
    for alias in node.names:
        name = alias.asname or (alias.name.split(".")[0] if isinstance(node, ast.Import) else alias.name)
        yield name, Binding(node, since=_end(node))


_FINDERS: dict[type[ast.AST], Callable[[Any], Iterator[tuple[str, Binding]]]] = {
    ast.Assign: _assign, ast.AnnAssign: _assign, ast.NamedExpr: _assign, ast.AugAssign: _changed, ast.For: _loop,
    ast.AsyncFor: _loop, ast.comprehension: _comprehension, ast.With: _context, ast.AsyncWith: _context,
    ast.FunctionDef: _defined, ast.AsyncFunctionDef: _defined, ast.ClassDef: _defined, ast.Lambda: _parameters,
    ast.Import: _imported, ast.ImportFrom: _imported,
}  # fmt: skip
