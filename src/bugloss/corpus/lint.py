"""Checks a bug's folder: everything that can be checked without running it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.bug import Bug, BugKind, Twin
from bugloss.core.errors import FileRefused, InvalidInput, Refusal
from bugloss.core.failure_text import in_one_line
from bugloss.core.foreign_file import is_inside, read_text
from bugloss.corpus.bug_file import ID_PATTERN, find_unsuitable_files, folder_name, read_bug
from bugloss.corpus.gates import GATES
from bugloss.corpus.oracle_call import parse, read_measurement
from bugloss.corpus.scaffold import PLACEHOLDER
from bugloss.corpus.unified_diff import text_files, unified_diff
from bugloss.corpus.upstream_lint import lint_upstream, own_names
from bugloss.stacks.stack import load_stack

LARGEST_FIX_LINES = 30
LEAST_REPORT_LINES, MOST_REPORT_LINES = 10, 60
_TAKEN_NAMES = {"test.py", "oracle.py", "report.md", "requirements.txt"}


@dataclass(frozen=True, slots=True)
class LintProblem:
    """What is wrong, and in which file of the bug."""

    bug: str
    file: str
    message: str


def lint(folder: Path) -> list[LintProblem]:
    """All problems of the bug in that folder; files that are not its own and an unreadable ``bug.toml`` come alone."""
    if unsuitable := find_unsuitable_files(folder):
        return [LintProblem(folder_name(folder), file, f"cannot be part of a bug: {why}") for file, why in unsuitable]
    try:
        bug = read_bug(folder)
    except InvalidInput as error:
        return [LintProblem(folder_name(folder), "bug.toml", error.message.removeprefix(f"{folder / 'bug.toml'}: "))]
    ours = bug.upstream is None
    programs, gates = ((_programs, _fix), GATES) if ours else ((lint_upstream,), ())
    checks = (_identity, _stack, _report, _original, *programs, _test, _leaks, *gates)
    return [
        LintProblem(folder_name(folder), file, message) for check in checks for file, message in _run_check(check, bug)
    ]


def _run_check(check: Callable[[Bug], Problems], bug: Bug) -> Problems:
    """What one check says; where it fails, that is a problem too, and the next check and the next bug follow."""
    try:
        yield from check(bug)
    except Exception as error:
        yield "bug.toml", f"the check '{check.__name__.strip('_')}' failed on this bug: {in_one_line(error)}"


Problems = Iterator[tuple[str, str]]


_DOCUMENTED = re.compile(r"https://(stackoverflow\.com/|github\.com/)\S+$")


def _identity(bug: Bug) -> Problems:
    match = ID_PATTERN.fullmatch(bug.id)
    place, home = bug.folder.absolute().parent, bug.home
    a_bug = f"an {home} bug" if bug.upstream is not None else f"a {home} bug"
    # A bug of the corpus is in bugs/<framework>/ or bugs/upstream/; a draft may have any name and place.
    if (place.parent / "corpus.toml").is_file() and place.name != home:
        yield "bug.toml", f"{a_bug} belongs in {home}/, not in {place.name}/"
    if place.name == home and (not match or match["prefix"] != bug.prefix):
        yield "bug.toml", f"the id of {a_bug} must look like '{bug.prefix}-0001'"
    if len(bug.title) > 90 or bug.title.endswith("."):
        yield "bug.toml", "the title must have at most 90 characters and no full stop"
    if bug.kind is not BugKind.SYNTHETIC and not _DOCUMENTED.match(bug.origin.url):
        yield "bug.toml", "origin.url must be the documented bug on stackoverflow.com or github.com"
    for name, text in {"title": bug.title, "data.recipe": bug.data.recipe, "notes": bug.notes, **_facts(bug)}.items():
        if PLACEHOLDER in text:
            yield "bug.toml", f"{name} still contains text of the template"


def _facts(bug: Bug) -> dict[str, str]:
    return {"origin.reported_with": bug.origin.reported_with, "oracle.message": bug.oracle.message}


def _stack(bug: Bug) -> Problems:
    try:
        load_stack(bug.stack).with_pins(bug.pins, bug.from_source)
    except InvalidInput as error:
        yield "bug.toml", error.message


def _report(bug: Bug) -> Problems:
    text = _read(bug, "report.md")
    if text is None:
        yield "report.md", "is missing or not UTF-8 text"
        return
    if PLACEHOLDER in text:
        yield "report.md", "still contains text of the template"
    if not text.startswith("# "):
        yield "report.md", "must start with a '# title' line"
    if not re.search(r"^Tags: \S", text, re.MULTILINE):
        yield "report.md", "must have a line 'Tags: a, b, c'"


def _original(bug: Bug) -> Problems:
    """The report as somebody would have sent it, for measuring reproduction; a bug may lack it."""
    try:
        text = read_text(bug.folder, "original.md")
    except FileRefused as error:
        if error.reason is not Refusal.MISSING:
            words = "is not UTF-8 text" if error.reason is Refusal.NOT_TEXT else f"cannot be read: {error.words}"
            yield "original.md", words
        return
    if PLACEHOLDER in text:
        yield "original.md", "still contains text of the template"
    if not text.startswith("# "):
        yield "original.md", "must start with a '# title' line"
    if not LEAST_REPORT_LINES <= len(text.splitlines()) <= MOST_REPORT_LINES:
        yield "original.md", f"must have {LEAST_REPORT_LINES} to {MOST_REPORT_LINES} lines"


def _programs(bug: Bug) -> Problems:
    buggy, fixed = (bug.folder / twin.value for twin in Twin)
    if text_files(buggy) != text_files(fixed):
        yield "fixed/", "must contain the same files as buggy/"
    for twin in Twin:
        if not is_inside(bug.folder / twin.value, bug.entry):
            yield f"{twin.value}/", f"lacks the entry file {bug.entry}"
        for name in text_files(bug.folder / twin.value):
            path = f"{twin.value}/{name}"
            if name in _TAKEN_NAMES:
                yield path, "has a name that the test or a checkout needs"
            elif name.removesuffix(".py") in sys.stdlib_module_names:  # in a checkout the oracle would import it
                yield path, "has the name of a standard library module"
            if name.endswith(".py"):
                yield from _syntax(bug, path)


def _fix(bug: Bug) -> Problems:
    try:
        diff = unified_diff(bug.folder / "buggy", bug.folder / "fixed")
    except UnicodeDecodeError:
        yield "buggy/", "contains a file that is not UTF-8 text"
        return
    except FileRefused as error:
        yield "buggy/", error.message
        return
    changed = [line for line in diff.splitlines() if re.match(r"[-+](?![-+]{2} )", line)]
    if not changed:
        yield "fixed/", "must differ from buggy/"
    if len(changed) > LARGEST_FIX_LINES:
        yield "fixed/", f"differs in {len(changed)} lines; a fix may have at most {LARGEST_FIX_LINES}"


def _test(bug: Bug) -> Problems:
    if _read(bug, "test.py") is None:
        yield "test.py", "is missing or not UTF-8 text"
        return
    broken = list(_syntax(bug, "test.py"))
    yield from broken
    if broken:
        return
    text = _read(bug, "test.py") or ""
    try:
        read_measurement(text, bug.oracle.kind)
    except InvalidInput as error:
        yield "test.py", error.message
    if ast.get_docstring(parse(text)) is None:
        yield "test.py", "must start with a docstring that says what a healthy program does"


def _leaks(bug: Bug) -> Problems:
    """Words in what a checkout shows that only somebody who knows the fix would write."""
    for name in (
        "test.py",
        "report.md",
        "original.md",
        *(f"buggy/{name}" for name in text_files(bug.folder / "buggy")),
        *own_names(bug),
    ):
        text = _read(bug, name) or ""
        for word in re.findall(
            r"(?i)\bbuggy\b|\bfixed version\b|\bthe bug is\b|\bthe fix\b|\bshould have been\b", text
        ):
            yield name, f"reveals the answer: '{word}'"


def _syntax(bug: Bug, name: str) -> Problems:
    text = _read(bug, name)
    if text is None:
        yield name, "is not UTF-8 text"
        return
    if PLACEHOLDER in text:
        yield name, "still contains text of the template"
    try:
        parse(text)
    except InvalidInput as error:
        yield name, error.message


def _read(bug: Bug, name: str) -> str | None:
    try:
        return read_text(bug.folder, name)
    except FileRefused:
        return None
