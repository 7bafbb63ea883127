"""A tool that is an outside command, described in a small TOML file: how to call it, where it applies, what it answers.

::

    name = "shapecheck"
    title = "ShapeCheck 1.2"
    version = "1.2"                       # a new version is asked again
    command = ["python", "{tool}/run.py", "{entry}"]
    files = ["run.py", "rules"]           # beside this file; they become {tool}
    frameworks = ["keras"]                # empty: all; others do not apply
    stacks = []                           # empty: all
    environment = "bug"                   # whose Python: the bug's stack, or the name of a stack
    timeout = 120

    [answer]
    format = "json"                       # json, regex, exit-code or text
    source = "stdout"                     # or stderr
    faults = "findings[*]"                # json: where the faults are; an alarm is one fault or more
    name = "rule"                         # and in each of them: name, category, fix_pattern, path, line
    line = "position.line"
    pattern = '(?P<path>\\S+):(?P<line>\\d+): (?P<name>.+)'   # regex: each match is a fault
    alarm_codes = [1]                     # exit-code: these are an alarm
    not_applicable_codes = [77]
    good_codes = [0, 1]                   # any other exit code is a failure of the tool

The command runs sandboxed. ``{program}`` is the folder of the program, ``{entry}`` its main file, ``{report}`` the
report, ``{seed}`` the seed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from bugloss.core.codec import decode
from bugloss.core.documents import parse_json, parse_toml
from bugloss.core.errors import InvalidInput
from bugloss.core.named_file import read_named_text
from bugloss.evaluate.matrix.cell import ClaimedFault, ClaimedLine, EvaluationTask, ToolReply

_STEP = re.compile(r"([\w-]+)|\[(\d+|\*)\]")
_MOST_FAULTS = 20
_LONGEST_TEXT = 300


class AnswerFormat(Enum):
    """How the answer of a command is read."""

    JSON = "json"
    REGEX = "regex"
    EXIT_CODE = "exit-code"
    TEXT = "text"  # reproduce: the program; repair: a unified diff


class AnswerUnreadable(Exception):
    """What a tool printed is not what its driver says: a failure of the tool."""


class ToolDeclined(Exception):
    """The tool itself says that it does not apply."""


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """Where in the output of a command its answer is."""

    format: AnswerFormat = AnswerFormat.EXIT_CODE
    source: str = "stdout"
    faults: str = ""
    name: str = "name"
    category: str = "category"
    fix_pattern: str = "fix_pattern"
    path: str = "path"
    line: str = "line"
    ranking: str = "ranking[*]"  # localize
    text: str = ""  # reproduce and repair: where in the JSON the program or the diff is
    pattern: str = ""
    alarm_codes: tuple[int, ...] = (1,)
    not_applicable_codes: tuple[int, ...] = ()
    good_codes: tuple[int, ...] = (0, 1)


@dataclass(frozen=True, slots=True)
class ToolDriver:
    """What a driver file says."""

    name: str
    command: tuple[str, ...]
    version: str
    answer: AnswerReading
    title: str = ""
    tasks: tuple[EvaluationTask, ...] = (EvaluationTask.DETECT, EvaluationTask.DIAGNOSE)
    frameworks: tuple[str, ...] = ()
    stacks: tuple[str, ...] = ()
    environment: str = "bug"
    files: tuple[str, ...] = ()
    timeout: float = 300.0
    folder: Path = field(default=Path(), compare=False)


def read_driver(path: Path) -> ToolDriver:
    """The driver of a file; an error says which key is wrong."""
    try:
        data = parse_toml(read_named_text(path))
    except ValueError as error:
        raise InvalidInput(f"{path} is not valid TOML: {error}.") from error
    try:
        driver = decode(ToolDriver, {**data, "folder": str(path.parent)})
        _check(driver)
    except InvalidInput as error:
        hint = error.hint or "docs/guide/researchers.md describes the keys."
        raise InvalidInput(f"{path} is not a driver: {error.message}", hint=hint) from error
    return driver


def _check(driver: ToolDriver) -> None:
    reading = driver.answer
    if not driver.command:
        raise InvalidInput("command is empty.")
    if reading.source not in {"stdout", "stderr"}:
        raise InvalidInput(f"answer.source is '{reading.source}'.", hint="Known: stdout, stderr.")
    if reading.format is AnswerFormat.REGEX:
        try:
            re.compile(reading.pattern)
        except re.error as error:
            raise InvalidInput(f"answer.pattern is not a regular expression: {error}.") from error
        if not reading.pattern:
            raise InvalidInput("answer.pattern is missing.")
    if reading.format is AnswerFormat.JSON and not (reading.faults or reading.text or reading.ranking):
        raise InvalidInput("answer.faults is missing.")


def read_answer(driver: ToolDriver, task: EvaluationTask, code: int | None, stdout: str, stderr: str) -> ToolReply:
    """What a command answered; raises ``AnswerUnreadable`` or ``ToolDeclined``."""
    reading = driver.answer
    if code in reading.not_applicable_codes:
        raise ToolDeclined(f"the tool ended with exit code {code}: it does not apply")
    good = {*reading.good_codes, *(reading.alarm_codes if reading.format is AnswerFormat.EXIT_CODE else ())}
    if code not in good:
        raise AnswerUnreadable(f"exit code {code}: {_last_line(stderr) or _last_line(stdout) or 'nothing was printed'}")
    output = stdout if reading.source == "stdout" else stderr
    match reading.format:
        case AnswerFormat.EXIT_CODE:
            return ToolReply(code in reading.alarm_codes, text=f"exit code {code}")
        case AnswerFormat.TEXT:
            return ToolReply(bool(output.strip()), text=output)
        case AnswerFormat.REGEX:
            matches = [found.groupdict() for found in re.finditer(reading.pattern, output, re.MULTILINE)]
            return reply_of([_fault(found) for found in matches[:_MOST_FAULTS]])
        case AnswerFormat.JSON:
            return _from_json(reading, task, output)


def _from_json(reading: AnswerReading, task: EvaluationTask, output: str) -> ToolReply:
    try:
        data = parse_json(output)
    except ValueError as error:
        raise AnswerUnreadable(f"the output is not JSON: {error}") from error
    if task is EvaluationTask.LOCALIZE:
        return ToolReply(ranking=tuple(str(one) for one in select(data, reading.ranking)))
    if task in {EvaluationTask.REPRODUCE, EvaluationTask.REPAIR}:
        found = [str(one) for one in select(data, reading.text)]
        return ToolReply(bool(found), text=found[0] if found else "")
    keys = ("name", "category", "fix_pattern", "path", "line")
    faults = [
        _fault({key: next(select(one, getattr(reading, key)), None) for key in keys})
        for one in list(select(data, reading.faults))[:_MOST_FAULTS]
    ]
    return reply_of(faults)


def reply_of(faults: list[ClaimedFault]) -> ToolReply:
    """An answer that is an alarm when it names a fault."""
    words = ", ".join(dict.fromkeys(fault.name for fault in faults)) or "nothing found"
    return ToolReply(bool(faults), tuple(faults), words[:_LONGEST_TEXT])


def select(data: Any, path: str) -> Iterator[Any]:
    """The values at a path such as ``runs[*].results[0].rule``; an empty path is the value itself."""
    found = [data]
    for key, index in _STEP.findall(path):
        found = [below for one in found for below in _below(one, key, index)]
    yield from (one for one in found if one is not None)


def _below(value: Any, key: str, index: str) -> Iterator[Any]:
    if key and isinstance(value, Mapping) and key in value:
        yield value[key]
    elif index and isinstance(value, list):
        yield from value if index == "*" else value[int(index) : int(index) + 1]


def _fault(found: Mapping[str, Any]) -> ClaimedFault:
    def text(key: str) -> str:
        return str(found.get(key) or "").strip()[:_LONGEST_TEXT]

    line = text("line")
    lines = (ClaimedLine(text("path"), int(line)),) if line.isdigit() and len(line) < 9 else ()
    return ClaimedFault(text("name") or "fault", text("category"), text("fix_pattern"), lines)


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:_LONGEST_TEXT] if lines else ""
