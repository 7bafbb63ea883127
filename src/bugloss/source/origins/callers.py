"""The calls of a function in the files of a program."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from bugloss.source.origins.arguments import is_prepared
from bugloss.source.origins.sought import Definition, Sought
from bugloss.source.project import Project
from bugloss.source.text.module import SourceModule

CALLED_AS_OBJECT = ("forward", "call", "__call__")
_MOST_CALLS = 200  # that are looked at for one function
Defined = Callable[[Sought], Definition | None]


def calls_of(
    project: Project, module: SourceModule, function: Definition, defined: Defined
) -> Iterator[tuple[SourceModule, ast.Call]]:
    """Calls that enter a function, those of its own file first; ``defined`` says what a called name stands for."""
    modules = [module, *(other for other in project.modules() if other is not module)]
    owner = module.parents.get(function)
    names = _called_names(function, owner)
    as_object = isinstance(owner, ast.ClassDef) and getattr(function, "name", "") in CALLED_AS_OBJECT
    for other in modules:
        calls = other.called(*names) + _prepared(other)
        if as_object:
            calls += [call for call in _all_calls(other) if call not in calls]
        for call in calls[:_MOST_CALLS]:
            if _enters(other, call, function, owner, as_object=as_object, defined=defined):
                yield other, call


def _called_names(function: Definition, owner: ast.AST | None) -> list[str]:
    name = getattr(function, "name", "")
    return [name, owner.name] if name == "__init__" and isinstance(owner, ast.ClassDef) else [name]


def _prepared(module: SourceModule) -> list[ast.Call]:
    return [call for call in module.called("partial", "partialmethod") if call.args]


def _all_calls(module: SourceModule) -> list[ast.Call]:
    """Calls of variables and attributes that could be objects: what is imported is none."""
    return [
        node
        for node in module.nodes[ast.Call]
        if isinstance(node, ast.Call)
        and (node.args or node.keywords)
        and module.names.raw(node.func) is None
        and isinstance(node.func, ast.Name | ast.Attribute)
    ]


def _enters(
    module: SourceModule,
    call: ast.Call,
    function: Definition,
    owner: ast.AST | None,
    *,
    as_object: bool,
    defined: Defined,
) -> bool:
    callee = call.args[0] if is_prepared(call) else call.func
    found = defined(Sought(module, callee))
    if found is not None:
        return found is function or (found is owner and (as_object or getattr(function, "name", "") == "__init__"))
    named = isinstance(callee, ast.Attribute) and callee.attr == getattr(function, "name", "")
    return named and isinstance(owner, ast.ClassDef) and not is_prepared(call)
