"""What a call passes for a parameter, and what the parameter is without it."""

from __future__ import annotations

import ast

from bugloss.source.origins.parts import ValuePart, Wanted
from bugloss.source.origins.sought import Function
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of

Passed = tuple[ast.expr, Wanted]
_PREPARING = {"partial", "partialmethod"}
_OPTIONS = {"option", "argument", "Option", "Argument"}


def positions_of(module: SourceModule, function: Function) -> list[str]:
    """The parameters that a call fills by position; a method's first one is the object."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names and is_method(module, function) else names


def is_method(module: SourceModule, function: ast.AST) -> bool:
    """Whether a function takes its object first."""
    decorators = {getattr(one, "id", "") for one in getattr(function, "decorator_list", ())}
    return isinstance(module.parents.get(function), ast.ClassDef) and "staticmethod" not in decorators


def is_prepared(call: ast.Call) -> bool:
    """Whether a call only sets arguments of the function that it is given: ``partial(train, lr=0.1)``."""
    return method_of(call) in _PREPARING


def passed(call: ast.Call, positions: list[str], name: str) -> Passed | None:
    """What a call passes for a parameter, spread dictionaries and lists included."""
    given = keyword_of(call, name)
    if given is not None:
        return given, ()
    arguments = call.args[1:] if is_prepared(call) else call.args
    at = positions.index(name) if name in positions else len(arguments)
    starred = next((index for index, one in enumerate(arguments) if isinstance(one, ast.Starred)), None)
    if starred is not None and name in positions and starred <= at:
        spread = arguments[starred]
        return (spread.value, (ValuePart(at - starred),)) if isinstance(spread, ast.Starred) else None
    if at < len(arguments):
        return arguments[at], ()
    settings = next((item.value for item in call.keywords if item.arg is None), None)
    return None if settings is None else (settings, (ValuePart(name),))


def default_of(function: Function, name: str) -> ast.expr | None:
    """The default of a parameter; for a command of click the default of its option."""
    given = function.args
    positional = [argument.arg for argument in (*given.posonlyargs, *given.args)]
    defaults = dict(zip(reversed(positional), reversed(given.defaults), strict=False))
    named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    defaults |= {argument.arg: value for argument, value in named if value is not None}
    return defaults.get(name) or _option_default(function, name)


def _option_default(function: Function, name: str) -> ast.expr | None:
    for decorator in getattr(function, "decorator_list", ()):
        if isinstance(decorator, ast.Call) and method_of(decorator) in _OPTIONS and names_option(decorator, name):
            return keyword_of(decorator, "default")
    return None


def names_option(call: ast.Call, name: str) -> bool:
    """Whether a call declares a command-line option of that name."""
    destination = keyword_of(call, "dest")
    if isinstance(destination, ast.Constant):
        return destination.value == name
    words = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return any(word.lstrip("-").replace("-", "_") == name for word in words)
