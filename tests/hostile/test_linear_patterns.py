"""Every pattern that stands in the source needs time in proportion to the text, alone and apart from who calls it.

A new pattern is found here by itself: whatever is given to ``re`` as a constant, or kept by a module as a compiled pattern.
"""

from __future__ import annotations

import ast
import gc
import importlib
import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from pace import QUIET_SECONDS, known_work
from repeated_units import UNITS, repeated

from bugloss.check.releases.written_for import idioms
from bugloss.core.bounded_text import bounded, middle_cut
from bugloss.observe.crash.catalogue import patterns as crash_patterns
from bugloss.observe.known_warnings import KNOWN_WARNINGS
from bugloss.reproduce.data import hints
from bugloss.reproduce.expected import symptoms

SOURCE = Path(__file__).resolve().parents[2] / "src" / "bugloss"
ROOMS = sorted(folder.name for folder in SOURCE.iterdir() if any(folder.rglob("*.py")) and folder.name != "probes")
SIZE = 1_500
FLOOR = 0.006  # seconds; a pattern that begins everywhere and reads to the end takes 0.02 for twice that size
MOST_GROWTH = 3.2
CALLS = {"search", "findall", "finditer", "sub", "subn", "split"}  # ``match`` begins in one place only


def constants(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The patterns that calls of ``re`` name as constants, with their flags."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not call.args:
            continue
        pattern = call.args[0]
        if ast.unparse(call.func.value) != "re" or call.func.attr not in CALLS:
            continue
        if isinstance(pattern, ast.Constant) and isinstance(pattern.value, str):
            flags = [part for part in (*call.args[1:], *(word.value for word in call.keywords)) if is_flag(part)]
            yield pattern.value, sum(eval(ast.unparse(flag), {"re": re}) for flag in flags)


def is_flag(node: ast.expr) -> bool:
    return ast.unparse(node).startswith("re.") and all(
        isinstance(part, ast.Attribute | ast.BinOp | ast.BitOr | ast.Name | ast.Load) for part in ast.walk(node)
    )


def compiled(value: object) -> Iterator[re.Pattern[str]]:
    """The patterns that a value is or holds."""
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, dict):
        yield from compiled(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for part in value:
            yield from compiled(part)


def patterns_of(room: str) -> dict[re.Pattern[str], str]:
    """Every pattern of a room, with the module that has it."""
    found: dict[re.Pattern[str], str] = {}
    for path in sorted((SOURCE / room).rglob("*.py")):
        name = ".".join(("bugloss", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
        text = path.read_text()
        if "import re\n" not in text or "template" in name:
            continue
        module = importlib.import_module(name)
        anchored = set(re.findall(r"\b(_?[A-Z_0-9]+)\.(?:match|fullmatch)\(", text))
        free = set(re.findall(r"\b(_?[A-Z_0-9]+)\.(?:search|findall|finditer|sub|split)\(", text))
        for key, value in vars(module).items():
            for pattern in compiled(value) if key not in anchored - free else ():
                found.setdefault(pattern, f"{name}.{key}")
        for constant, flags in constants(ast.parse(text)):
            found.setdefault(re.compile(constant, flags), name)
    return found


@cache
def texts() -> tuple[tuple[str, str, str], ...]:
    """Units, each with a text and one of twice the length, whole and in lines."""
    shapes = ((unit, zip(repeated(unit, SIZE), repeated(unit, 2 * SIZE), strict=True)) for unit in UNITS)
    return tuple((unit, short, long) for unit, pairs in shapes for short, long in list(pairs)[:2])


def cost(pattern: re.Pattern[str], text: str) -> float:
    start = time.process_time()
    for _ in pattern.finditer(text):
        pass
    return time.process_time() - start


def growth_of(pattern: re.Pattern[str], short: str, long: str, floor: float) -> float:
    """How many times as long the longer text takes; 0 where both are quick."""
    longest, shortest = (min(cost(pattern, text) for _ in range(3)) for text in (long, short))
    return longest / shortest if longest > floor else 0.0


def too_slow(pattern: re.Pattern[str], floor: float) -> Iterator[str]:
    for unit, short, long in texts():
        if cost(pattern, long) > floor:  # asked again, and twice: noise passes, growth stays
            growth = min(growth_of(pattern, short, long, floor) for _ in range(2))
            if growth > MOST_GROWTH:
                yield f"{growth:.1f} times the time for twice as much of {unit!r}: {pattern.pattern[:120]}"


@pytest.mark.parametrize("room", ROOMS)
def test_every_pattern_of_a_room_is_linear(room: str) -> None:
    floor = FLOOR * max(1.0, known_work() / QUIET_SECONDS)
    gc.disable()
    try:
        slow = [f"{where}: {why}" for pattern, where in patterns_of(room).items() for why in too_slow(pattern, floor)]
    finally:
        gc.enable()
    assert not slow, "\n".join(slow)


@pytest.mark.parametrize(
    "expressions",
    [
        pytest.param([known.pattern for known in KNOWN_WARNINGS], id="warnings"),
        pytest.param([pattern.pattern for *_, pattern in hints._table()], id="hints in messages"),
        pytest.param([pattern.pattern for _, pattern in symptoms._words()], id="symptoms"),
        pytest.param([idiom.pattern.pattern for idiom in idioms()], id="idioms"),
    ],
)
def test_every_expression_of_a_table_is_linear(expressions: list[str]) -> None:
    floor = FLOOR * max(1.0, known_work() / QUIET_SECONDS)
    tables = [re.compile(expression, re.IGNORECASE | re.DOTALL) for expression in expressions]
    slow = [why for pattern in tables for why in too_slow(pattern, floor)]
    assert not slow, "\n".join(slow)


def test_the_patterns_of_crashes_end_quickly_on_as_much_of_a_message_as_they_are_given() -> None:
    """They may be quadratic: what they search is cut to 4,000 characters."""
    floor = 0.25 * max(1.0, known_work() / QUIET_SECONDS)
    slow = []
    for crash in crash_patterns():
        message = crash.examples[0].message
        for unit in filter(None, (message, message[: len(message) // 2], message[: len(message) // 3], *crash.marks)):
            text = middle_cut(bounded(unit * (20_000 // len(unit))), 4_000)
            if cost(re.compile(crash.expression, re.DOTALL), text) > floor:
                slow.append(f"{crash.cause}: {unit!r}")
    assert not slow, "\n".join(slow)
