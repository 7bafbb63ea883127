"""Commands of foreign test scripts: pytest, unittest and Python scripts; anything else is named, never run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from bugloss.core.foreign_bug import ForeignTest, Runner

_PYTHON = re.compile(r"python[0-9.]*")
_MODULES = {runner.value: runner for runner in (Runner.PYTEST, Runner.UNITTEST)}
_MOST = 50


def commands_of(text: str) -> tuple[tuple[ForeignTest, ...], tuple[str, ...]]:
    """The commands of a script's lines, and the lines that are none of those that bugloss runs."""
    found, refused = [], []
    for line in text.replace("\\\n", " ").splitlines()[:_MOST]:
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        command = command_of(stripped)
        if command is None:
            refused.append(stripped[:120])
        else:
            found.append(command)
    return tuple(found), tuple(refused)


def command_of(line: str) -> ForeignTest | None:
    """One line; what needs a shell (pipes, variables, several commands) is none."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return None
    if not words or any(re.search(r"[|&;<>`$]", word) and "::" not in word for word in words):
        return None
    first, *rest = words
    if first in {"pytest", "py.test"}:
        return ForeignTest(Runner.PYTEST, tuple(rest))
    if not _PYTHON.fullmatch(first):
        return None
    if rest[:1] == ["-m"] and len(rest) > 1 and rest[1] in _MODULES:
        return ForeignTest(_MODULES[rest[1]], tuple(rest[2:]))
    if rest and rest[0].endswith(".py"):
        return ForeignTest(Runner.SCRIPT, tuple(rest))
    return None


def pytest_of(names: Iterable[str]) -> ForeignTest:
    """pytest with these tests."""
    return ForeignTest(Runner.PYTEST, tuple(names))
