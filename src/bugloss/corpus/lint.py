"""Checks a bug's folder: everything that can be told without running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.bug import Bug, Twin
from bugloss.core.errors import InvalidInput
from bugloss.core.failure_text import in_one_line
from bugloss.core.python_text import parse_python
from bugloss.corpus.bug_file import ID_PATTERN, folder_name, read_bug
from bugloss.corpus.scaffold import PLACEHOLDER
from bugloss.corpus.unified_diff import text_files, unified_diff
from bugloss.run.stack import load_stack

LARGEST_FIX_LINES = 30
LEAST_REPORT_LINES, MOST_REPORT_LINES = 10, 60
_ORACLE_OF_CALL = {"survives": "exception", "value": "value", "symptom": "symptom", "cost": "cost"}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and in which file of the bug."""

    bug: str
    file: str
    message: str


def lint(folder: Path) -> list[Problem]:
    """All problems of the bug in that folder; an unreadable ``bug.toml`` is the only one reported."""
    try:
        bug = read_bug(folder)
    except InvalidInput as error:
        return [Problem(folder_name(folder), "bug.toml", error.message.removeprefix(f"{folder / 'bug.toml'}: "))]
    checks = (_identity, _stack, _report, _original, _programs, _fix, _test, _leaks)
    return [Problem(folder_name(folder), file, message) for check in checks for file, message in _ask(check, bug)]


def _ask(check: Callable[[Bug], Complaints], bug: Bug) -> Complaints:
    """What one check says; where it fails, that is a problem too, and the next check and the next bug follow."""
    try:
        yield from check(bug)
    except Exception as error:
        yield "bug.toml", f"the check '{check.__name__.strip('_')}' failed on this bug: {in_one_line(error)}"


Complaints = Iterator[tuple[str, str]]


def _identity(bug: Bug) -> Complaints:
    match = ID_PATTERN.fullmatch(bug.id)
    place, framework = bug.folder.absolute().parent, bug.framework.value
    # A bug of the corpus lies in bugs/<framework>/; a draft may be called anything and lie anywhere.
    if (place.parent / "corpus.toml").is_file() and place.name != framework:
        yield "bug.toml", f"a {framework} bug lies in {framework}/, not in {place.name}/"
    if place.name == framework and (not match or match["prefix"] != bug.framework.prefix):
        yield "bug.toml", f"the id of a {framework} bug looks like '{bug.framework.prefix}-0001'"
    if len(bug.title) > 90 or bug.title.endswith("."):
        yield "bug.toml", "the title has at most 90 characters and no full stop"
    if not re.match(r"https://(stackoverflow\.com/|github\.com/)\S+$", bug.origin.url):
        yield "bug.toml", "origin.url links the documented bug on stackoverflow.com or github.com"
    for name, text in {"title": bug.title, "data.recipe": bug.data.recipe, "notes": bug.notes}.items():
        if PLACEHOLDER in text:
            yield "bug.toml", f"{name} still holds the scaffold's words"


def _stack(bug: Bug) -> Complaints:
    try:
        load_stack(bug.stack).with_pins(bug.pins)
    except InvalidInput as error:
        yield "bug.toml", error.message


def _report(bug: Bug) -> Complaints:
    text = _read(bug, "report.md")
    if text is None:
        yield "report.md", "is missing or no UTF-8 text"
        return
    if PLACEHOLDER in text:
        yield "report.md", "still holds the scaffold's words"
    if not text.startswith("# "):
        yield "report.md", "starts with a '# title' line"
    if not re.search(r"^Tags: \S", text, re.MULTILINE):
        yield "report.md", "has a line 'Tags: a, b, c'"


def _original(bug: Bug) -> Complaints:
    """The report as somebody would have sent it, for measuring reproduction; a bug may lack it."""
    if not (bug.folder / "original.md").exists():
        return
    text = _read(bug, "original.md")
    if text is None:
        yield "original.md", "is no UTF-8 text"
        return
    if PLACEHOLDER in text:
        yield "original.md", "still holds the scaffold's words"
    if not text.startswith("# "):
        yield "original.md", "starts with a '# title' line"
    if not LEAST_REPORT_LINES <= len(text.splitlines()) <= MOST_REPORT_LINES:
        yield "original.md", f"has {LEAST_REPORT_LINES} to {MOST_REPORT_LINES} lines"


def _programs(bug: Bug) -> Complaints:
    buggy, fixed = (bug.folder / twin.value for twin in Twin)
    if text_files(buggy) != text_files(fixed):
        yield "fixed/", "holds the same files as buggy/"
    for twin in Twin:
        if not (bug.folder / twin.value / bug.entry).is_file():
            yield f"{twin.value}/", f"lacks the entry file {bug.entry}"
        for name in text_files(bug.folder / twin.value):
            path = f"{twin.value}/{name}"
            if name in {"test.py", "oracle.py", "report.md", "requirements.txt"}:
                yield path, "has a name that the test or a checkout needs"
            if name.endswith(".py"):
                yield from _syntax(bug, path)


def _fix(bug: Bug) -> Complaints:
    try:
        diff = unified_diff(bug.folder / "buggy", bug.folder / "fixed")
    except UnicodeDecodeError:
        yield "buggy/", "holds a file that is no UTF-8 text"
        return
    changed = [line for line in diff.splitlines() if re.match(r"[-+](?![-+]{2} )", line)]
    if not changed:
        yield "fixed/", "is the same as buggy/"
    if len(changed) > LARGEST_FIX_LINES:
        yield "fixed/", f"differs in {len(changed)} lines; a fix has at most {LARGEST_FIX_LINES}"


def _test(bug: Bug) -> Complaints:
    if _read(bug, "test.py") is None:
        yield "test.py", "is missing or no UTF-8 text"
        return
    broken = list(_syntax(bug, "test.py"))
    yield from broken
    if broken:
        return
    tree = parse_python(_read(bug, "test.py") or "")
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [call.attr for call in calls if isinstance(call, ast.Attribute) and _is_oracle(call.value)]
    kinds = [_ORACLE_OF_CALL[name] for name in named if name in _ORACLE_OF_CALL]
    if kinds != [bug.oracle.kind.value]:
        yield "test.py", f"calls the oracle once, for '{bug.oracle.kind.value}'; it calls {kinds or 'none'}"
    if ast.get_docstring(tree) is None:
        yield "test.py", "starts with a docstring that says what healthy means"


def _leaks(bug: Bug) -> Complaints:
    """Words in what a checkout shows that only somebody who knows the fix would write."""
    for name in (
        "test.py",
        "report.md",
        "original.md",
        *(f"buggy/{name}" for name in text_files(bug.folder / "buggy")),
    ):
        text = _read(bug, name) or ""
        for word in re.findall(
            r"(?i)\bbuggy\b|\bfixed version\b|\bthe bug is\b|\bthe fix\b|\bshould have been\b", text
        ):
            yield name, f"gives something away: '{word}'"


def _syntax(bug: Bug, name: str) -> Complaints:
    text = _read(bug, name)
    if text is None:
        yield name, "is no UTF-8 text"
        return
    if PLACEHOLDER in text:
        yield name, "still holds the scaffold's words"
    try:
        parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # the last two: nested too deeply
        yield name, f"does not parse: {error or type(error).__name__}"


def _is_oracle(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "oracle"


def _read(bug: Bug, name: str) -> str | None:
    try:
        return (bug.folder / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
