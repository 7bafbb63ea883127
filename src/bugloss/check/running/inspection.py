"""Checks files: reads them, asks every chosen rule, drops what is ignored, and says what was skipped."""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Protocol

from bugloss.check.contract import Rule
from bugloss.check.releases.target import pins_near
from bugloss.check.running.file_search import FoundFile, find_files
from bugloss.check.running.problems import CHECK_FAILED, SYNTAX_ERROR, UNREADABLE_FILE, FileProblem
from bugloss.check.running.processes import run_in_processes
from bugloss.check.running.selection import Selection
from bugloss.core.errors import BrokenPlugin
from bugloss.core.failure_text import in_one_line
from bugloss.core.finding import Finding
from bugloss.core.garbage import pause_garbage_collection
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import Plugins, load
from bugloss.source.program import Program
from bugloss.source.text.source_file import (
    Skipped,
    SourceFile,
    Unparsed,
    Unreadable,
    ignored_rules,
    parse_content,
    parse_source,
    read_content,
)

_FILES_BETWEEN_COLLECTIONS = 100
_FEWEST_FOR_PROCESSES = 8


@dataclass(frozen=True, slots=True)
class FileCheck:
    """What the check of one file came to."""

    findings: tuple[Finding, ...] = ()
    skipped: Skipped | None = None
    lines: int = 0


class CheckCache(Protocol):
    """Outcomes of earlier checks; each has a name that stands for all it depends on."""

    def recall(self, names: Sequence[str]) -> Mapping[str, FileCheck]:
        """The outcomes that are known."""
        ...

    def keep(self, outcomes: Mapping[str, FileCheck]) -> None:
        """Remembers outcomes for the next time."""
        ...


_Named = tuple[str | None, FileCheck]


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a check of files came to."""

    findings: tuple[Finding, ...]
    files: int
    lines: int
    skipped: tuple[Skipped, ...]
    seconds: float


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule that the installed packs offer, by name."""
    return tuple(rule for _, rule in sorted(_offered().items()))


@cache
def _rules_in_turn() -> tuple[Rule, ...]:
    """Those that build on what others noted come last."""
    return tuple(sorted(all_rules(), key=lambda rule: rule.afterwards))


def broken_rules() -> tuple[BrokenPlugin, ...]:
    """What is wrong with the rules that could not be used."""
    return _offered().broken


@cache
def _offered() -> Plugins[Rule]:
    return load(PluginGroup.RULE, Rule)


def check_paths(
    paths: Sequence[Path], selection: Selection, jobs: int = 1, memory: CheckCache | None = None
) -> Inspection:
    """Checks files and folders; the findings come sorted by place. What the memory knows is not checked again."""
    start = time.monotonic()
    files = list(find_files(paths))
    known = _recalled(files, selection, memory) if memory is not None else {}
    fresh = [file for file in files if file not in known]
    checked = _check_fresh(fresh, selection, jobs)
    if memory is not None:
        memory.keep({name: outcome for name, outcome in checked if name is not None})
    known |= {file: outcome for file, (_, outcome) in zip(fresh, checked, strict=True)}
    outcomes = [known[file] for file in files]
    findings = [finding for outcome in outcomes for finding in outcome.findings]
    skipped = tuple(outcome.skipped for outcome in outcomes if outcome.skipped is not None)
    lines = sum(outcome.lines for outcome in outcomes)
    ordered = tuple(sorted(findings, key=lambda finding: (finding.path, finding.span, finding.rule)))
    return Inspection(ordered, len(files), lines, skipped, time.monotonic() - start)


def _check_fresh(files: Sequence[FoundFile], selection: Selection, jobs: int) -> list[_Named]:
    work = partial(_check_all, selection=selection)
    if jobs > 1 and len(files) > _FEWEST_FOR_PROCESSES:
        return run_in_processes(work, files, jobs, partial(_lost, selection=selection))
    return work(files)


def _recalled(files: Sequence[FoundFile], selection: Selection, memory: CheckCache) -> dict[FoundFile, FileCheck]:
    """The files whose outcome is known."""
    names = {}
    for file in files:
        with suppress(Exception):  # whatever it is comes again, and is reported, when the file is checked
            content = read_content(file.path, file.shown, file.root)
            if not isinstance(content, Skipped):
                names[file] = _name(content, file.path, file.shown, selection)
    outcomes = memory.recall(list(names.values()))
    return {file: outcomes[name] for file, name in names.items() if name in outcomes}


def _name(content: bytes, path: Path, shown: str, selection: Selection) -> str:
    """Stands for everything in a project that the outcome for a file depends on; the rules are the memory's concern."""
    settings = repr((shown, selection, sorted(pins_near(path).items())))
    return hashlib.sha256(settings.encode(errors="surrogateescape") + b"\0" + content).hexdigest()


def check_text(text: str, selection: Selection, path: str = "<text>") -> list[Finding]:
    """Checks Python text that is not in a file; text that does not parse gives nothing."""
    source = parse_source(text, path)
    return [] if isinstance(source, Skipped) else check_source(source, selection)


def check_source(source: SourceFile, selection: Selection) -> list[Finding]:
    """All findings of the chosen rules in one parsed file."""
    program = Program(source, selection.target)
    try:
        return _ask_rules(program, selection) if program.relevant else []
    finally:
        program.forget()


def _ask_rules(program: Program, selection: Selection) -> list[Finding]:
    source = program.source
    program.target = {**pins_near(Path(source.path)), **selection.target}
    ignored = ignored_rules(source)
    findings: dict[tuple[object, ...], Finding] = {}
    for rule in _rules_in_turn():
        if not selection.includes(rule, source.path) or (rule.words and not program.mentions(rule.words)):
            continue
        for finding in _run_rule(rule, program):
            silenced = ignored.get(finding.span.line)
            if silenced is None or (silenced and finding.rule not in silenced):
                findings.setdefault((finding.rule, finding.span, finding.message), finding)
    failures = _failures(program) if selection.reports(CHECK_FAILED, source.path) else ()
    return [*findings.values(), *failures]


def _run_rule(rule: Rule, program: Program) -> Iterator[Finding]:
    """What one rule says. Where it fails, that is noted, what it said before counts, and the others are asked."""
    try:
        yield from rule.check(program)
    except RecursionError:
        program.too_deep.append(rule.name)
    except Exception as error:  # of a rule, which may come from anywhere
        program.failed[rule.name] = error


def _failures(program: Program) -> Iterator[Finding]:
    """What went wrong with bugloss itself, by the rule or the line that it happened at."""
    path = program.source.path
    for name, error in program.failed.items():
        yield CHECK_FAILED.at(path, f"the rule {name} failed on this file: {in_one_line(error)}")
    for failure in program.followed.failures if program.relevant else ():
        message = f"this statement could not be analysed: {in_one_line(failure.error)}"
        yield CHECK_FAILED.at(path, message, failure.line)


def _check_all(files: Sequence[FoundFile], selection: Selection) -> list[_Named]:
    """Checks files one after the other, looking for garbage once in a hundred only.

    What the rules derive from a file refers to itself, so only that search frees it; but while a file is looked at
    nearly everything lives, and searching each time would cost a fifth of the time.
    """
    outcomes = []
    with pause_garbage_collection():
        for number, file in enumerate(files, start=1):
            outcomes.append(_check_one(file, selection))
            if number % _FILES_BETWEEN_COLLECTIONS == 0:
                gc.collect(0)  # what was made since the last time; what is older is kept on purpose
    return outcomes


def _check_one(file: FoundFile, selection: Selection) -> _Named:
    """The outcome for one file, whatever happens: one that brings bugloss down is a finding, and the next follows."""
    try:
        return _check_file(file, selection)
    except Exception as error:  # ours; MemoryError and RecursionError are among them
        return None, _failed(file.shown, f"this file could not be checked: {in_one_line(error)}", selection)


def _check_file(file: FoundFile, selection: Selection) -> _Named:
    """The outcome, named after the very bytes that were checked: the file may have changed since it was looked up."""
    if file.problem:
        return None, _left_out(Unreadable(file.shown, file.problem), selection)
    content = read_content(file.path, file.shown, file.root)
    if isinstance(content, Skipped):
        return None, _left_out(content, selection)
    name = _name(content, file.path, file.shown, selection)
    source = parse_content(content, file.path, file.shown)
    if isinstance(source, Skipped):
        return name, _left_out(source, selection)
    findings = tuple(check_source(source, selection))
    whole = all(finding.rule != CHECK_FAILED.name for finding in findings)  # what failed may not fail the next time
    return name if whole else None, FileCheck(findings, lines=len(source.lines))


def _left_out(skipped: Skipped, selection: Selection) -> FileCheck:
    """A file that was not checked: an error where it should have been, a remark where it is left out on purpose."""
    match skipped:
        case Unparsed(path, _, message, line, column):
            return _problem(SYNTAX_ERROR, SYNTAX_ERROR.at(path, message, line, column), selection)
        case Unreadable(path, reason):
            return _problem(UNREADABLE_FILE, UNREADABLE_FILE.at(path, f"this file cannot be read: {reason}"), selection)
    return FileCheck(skipped=skipped)


def _failed(path: str, message: str, selection: Selection) -> FileCheck:
    return _problem(CHECK_FAILED, CHECK_FAILED.at(path, message), selection)


def _problem(problem: FileProblem, finding: Finding, selection: Selection) -> FileCheck:
    if selection.reports(problem, finding.path):
        return FileCheck((finding,))
    return FileCheck(skipped=Skipped(finding.path, finding.message))


def _lost(file: FoundFile, selection: Selection) -> _Named:
    return None, _failed(file.shown, "this file could not be checked: its process was killed", selection)
