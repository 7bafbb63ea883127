"""Reads a bug's ``test.py`` without running it: the one call of the oracle, and what is imported.

The bounds of a verdict come from here and never from a run: what is judged cannot change how it is judged.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping

from bugloss.core.bug import Bound, BoundKind, Measurement, OracleKind
from bugloss.core.errors import InvalidInput
from bugloss.core.python_text import parse_python
from bugloss.probes import oracle as probe

_KINDS = {
    "survives": OracleKind.EXCEPTION,
    "value": OracleKind.VALUE,
    "symptom": OracleKind.SYMPTOM,
    "cost": OracleKind.COST,
}
_BOUNDS = {"at_least": BoundKind.AT_LEAST, "at_most": BoundKind.AT_MOST, "equals": BoundKind.EQUALS}
_MOST_REPEATS = 1000  # the seeds of the next run begin there


def read_measurement(text: str, kind: OracleKind) -> Measurement | None:
    """What the test of a bug with this kind of oracle measures; the error says what is wrong with ``test.py``."""
    calls = [node for node in ast.walk(parse(text)) if isinstance(node, ast.Call) and _name(node) in _KINDS]
    kinds = [_KINDS[_name(call)].value for call in calls]
    if kinds != [kind.value]:
        raise InvalidInput(f"must call the oracle once, for '{kind.value}'; it calls {kinds or 'none'}")
    return None if kind is OracleKind.EXCEPTION else _measurement(calls[0])


def parse(text: str) -> ast.Module:
    try:
        return parse_python(text)
    except SyntaxError as error:
        raise InvalidInput(f"does not parse: {error}") from error


def _name(call: ast.Call) -> str:
    """``symptom`` for ``oracle.symptom(...)``."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="oracle"), attr=name):
            return name
    return ""


def _measurement(call: ast.Call) -> Measurement:
    given = _arguments(call, getattr(probe, _name(call)))
    metric = _literal(given, "name")
    if not isinstance(metric, str) or not metric:
        raise InvalidInput("must state the name of its metric as a string, such as 'accuracy'")
    repeats = _literal(given, "seeds" if "seeds" in given else "repeats") if _name(call) != "value" else 1
    if not isinstance(repeats, int) or isinstance(repeats, bool) or not 1 <= repeats <= _MOST_REPEATS:
        raise InvalidInput(f"must state the number of measurements as an integer from 1 to {_MOST_REPEATS}")
    if "ratio" in given:
        return Measurement(metric, repeats, ratio=_ratio(given))
    return Measurement(metric, repeats, _bound(given))


def _arguments(call: ast.Call, function: Callable[..., object]) -> Mapping[str, object]:
    """Syntax trees by parameter, and the defaults of those that are not given."""
    spread = [argument for argument in call.args if isinstance(argument, ast.Starred)]
    if spread or any(word.arg is None for word in call.keywords):
        raise InvalidInput("must pass the arguments of the oracle without * and **")
    keywords = {str(word.arg): word.value for word in call.keywords}
    try:
        bound = inspect.signature(function).bind(*call.args, **keywords)
    except TypeError as error:
        raise InvalidInput(f"calls oracle.{_name(call)} with wrong arguments: {error}") from error
    bound.apply_defaults()
    return bound.arguments


def _literal(given: Mapping[str, object], parameter: str) -> object:
    argument = given[parameter]
    if not isinstance(argument, ast.expr):
        return argument
    try:
        return ast.literal_eval(argument)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        found = ast.unparse(argument)[:80]
        raise InvalidInput(
            f"must state '{parameter}' as a literal, not as {found}: bounds are read, not run"
        ) from error


def _bound(given: Mapping[str, object]) -> Bound:
    stated = {kind: _literal(given, name) for name, kind in _BOUNDS.items() if name in given}
    stated = {kind: limit for kind, limit in stated.items() if limit is not None}
    if len(stated) != 1:
        raise InvalidInput("must state exactly one of at_least, at_most, equals")
    ((kind, limit),) = stated.items()
    if kind is not BoundKind.EQUALS and not probe.is_number(limit):
        raise InvalidInput(f"must state a number for '{kind.value}', not {limit!r}")
    return Bound(kind, probe.plain(limit))


def _ratio(given: Mapping[str, object]) -> float:
    ratio = _literal(given, "ratio")
    if not isinstance(ratio, int | float) or not probe.is_number(ratio) or ratio <= 1:
        raise InvalidInput(f"must state a ratio above 1, not {ratio!r}")
    return float(ratio)
