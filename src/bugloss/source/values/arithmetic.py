"""The one door for computing with values that are written in a checked file.

Nothing here raises, takes long or makes something large: what would is unknown. ``10**10**10``, ``"a" * 10**12`` and
``range(10**20)`` cost no more than ``1 + 1``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from bugloss.source.values.values import UNKNOWN, Constant, Items, Value, is_number

LONGEST = 10_000  # of a computed list or text
MOST_REPEATED = 64  # elements of a list that is repeated: layers are built from such lists, data are not
_LARGEST_BASE, _LARGEST_EXPONENT = 1e6, 64

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mult": operator.mul,
    "div": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
}


def computed(kind: str, left: object, right: object) -> Value:
    """What an operator makes of two constants; unknown where it is an error or would be too large."""
    if not (_may_be_computed(left) and _may_be_computed(right)) or not _stays_small(kind, left, right):
        return UNKNOWN
    try:
        result = OPERATORS[kind](left, right)
    except (KeyError, ArithmeticError, TypeError, ValueError):
        return UNKNOWN
    return Constant(result) if _may_be_computed(result) else UNKNOWN


def converted(value: object, kind: type[int] | type[float]) -> Value:
    """``int(x)`` and ``float(x)`` of a constant."""
    if not isinstance(value, (int, float, str)) or not _may_be_computed(value):
        return UNKNOWN
    try:
        result = kind(value)
    except (ValueError, OverflowError):
        return UNKNOWN
    return Constant(result) if is_number(result) else UNKNOWN


def repeated(sequence: Items, times: int) -> Value:
    """``[0] * 3``."""
    if not 0 <= times * len(sequence.items) <= MOST_REPEATED or times > MOST_REPEATED:
        return UNKNOWN
    return Items(sequence.items * times, sequence.is_tuple, sequence.complete)


def range_length(numbers: range) -> int:
    """``len(numbers)``, which Python refuses for ranges that no list could hold."""
    distance = numbers.stop - numbers.start
    if numbers.step < 0:
        return max(0, (-distance - numbers.step - 1) // -numbers.step)
    return max(0, (distance + numbers.step - 1) // numbers.step)


def _may_be_computed(value: object) -> bool:
    """Numbers that can be followed, truth values, short texts; no complex number."""
    if isinstance(value, (str, bytes)):
        return len(value) <= LONGEST
    return isinstance(value, bool) or is_number(value)


def _stays_small(kind: str, left: Any, right: Any) -> bool:
    texts = isinstance(left, (str, bytes)), isinstance(right, (str, bytes))
    if kind in {"mod", "mult"} and any(texts):  # a format's width and a repetition can ask for any length
        return False
    if kind == "pow" and not any(texts):
        return bool(abs(right) <= _LARGEST_EXPONENT and abs(left) <= _LARGEST_BASE)
    return True
