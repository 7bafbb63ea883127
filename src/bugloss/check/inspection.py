"""Checks files: reads them, asks every chosen rule, drops what is ignored, and says what was skipped."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from bugloss.check.contract import Rule
from bugloss.check.program import Program
from bugloss.check.selection import Selection
from bugloss.check.source import Skipped, SourceFile, ignored_rules, parse_source, read_source
from bugloss.check.target import pins_near
from bugloss.core.errors import BrokenPlugin, InvalidInput
from bugloss.core.finding import Finding
from bugloss.core.registry import Plugins, load

RULE_GROUP = "rule"
_SKIPPED_FOLDERS = {
    ".git",
    ".venv",
    "venv",
    "node_modules",
    "__pycache__",
    ".bugloss",
    ".ipynb_checkpoints",
    "site-packages",
}
_FILES_BETWEEN_COLLECTIONS = 100

_Outcome = tuple[list[Finding], Skipped | None, int]


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


def broken_rules() -> tuple[BrokenPlugin, ...]:
    """What is wrong with the rules that could not be used."""
    return _offered().broken


@cache
def _offered() -> Plugins[Rule]:
    return load(RULE_GROUP, Rule)


def check_paths(paths: Sequence[Path], selection: Selection, jobs: int = 1) -> Inspection:
    """Checks files and folders; the findings come sorted by place."""
    start = time.monotonic()
    files = list(find_files(paths))
    if jobs > 1 and len(files) > 8:
        size = max(1, len(files) // (jobs * 8))
        parts = [files[start : start + size] for start in range(0, len(files), size)]
        with ProcessPoolExecutor(jobs) as pool:
            outcomes = list(chain.from_iterable(pool.map(_check_all, parts, [selection] * len(parts))))
    else:
        outcomes = _check_all(files, selection)
    findings = [finding for found, _, _ in outcomes for finding in found]
    skipped = tuple(reason for _, reason, _ in outcomes if reason is not None)
    lines = sum(count for _, _, count in outcomes)
    ordered = tuple(sorted(findings, key=lambda finding: (finding.path, finding.span, finding.rule)))
    return Inspection(ordered, len(files), lines, skipped, time.monotonic() - start)


def check_text(text: str, selection: Selection, path: str = "<text>") -> list[Finding]:
    """Checks Python text that lies in no file; text that does not parse gives nothing."""
    source = parse_source(text, path)
    return [] if isinstance(source, Skipped) else check_source(source, selection)


def check_source(source: SourceFile, selection: Selection) -> list[Finding]:
    """All findings of the chosen rules in one parsed file."""
    program = Program(source, selection.target)
    if not program.relevant:
        return []
    program.target = {**pins_near(Path(source.path)), **selection.target}
    ignored = ignored_rules(source)
    findings: dict[tuple[object, ...], Finding] = {}
    for rule in sorted(all_rules(), key=lambda rule: rule.afterwards):
        if not selection.includes(rule, source.path) or (rule.words and not program.mentions(rule.words)):
            continue
        for finding in _ask(rule, program):
            silenced = ignored.get(finding.span.line)
            if silenced is None or (silenced and finding.rule not in silenced):
                findings.setdefault((finding.rule, finding.span, finding.message), finding)
    return list(findings.values())


def _ask(rule: Rule, program: Program) -> list[Finding]:
    """What one rule says; code that is nested too deeply for it is noted, and the others are asked all the same."""
    try:
        return list(rule.check(program))
    except RecursionError:
        program.too_deep.append(rule.name)
        return []


def find_files(paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Python files and notebooks, each once, with the path to show; links are not followed into folders."""
    seen: set[str] = set()
    for path in paths:
        if not path.exists():
            raise InvalidInput(f"{path} does not exist.")
        for found in _below(path) if path.is_dir() else [path]:
            real = os.path.realpath(found)
            if real not in seen:
                seen.add(real)
                yield found, found.as_posix()


def _below(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED_FOLDERS)
        for name in sorted(names):
            if name.endswith((".py", ".ipynb")):
                yield Path(root, name)


def _check_all(files: Sequence[tuple[Path, str]], selection: Selection) -> list[_Outcome]:
    """Checks files one after the other, looking for garbage once in a hundred only.

    What the rules derive from a file refers to itself, so only that search frees it; but while a file is looked at
    nearly everything lives, and searching each time would cost a fifth of the time.
    """
    collecting = gc.isenabled()
    gc.disable()
    outcomes = []
    try:
        for number, file in enumerate(files, start=1):
            outcomes.append(_check_one(file, selection))
            if number % _FILES_BETWEEN_COLLECTIONS == 0:
                gc.collect()
    finally:
        if collecting:
            gc.enable()
    return outcomes


def _check_one(file: tuple[Path, str], selection: Selection) -> _Outcome:
    path, shown = file
    source = read_source(path, shown)
    if isinstance(source, Skipped):
        return [], source, 0
    return check_source(source, selection), None, len(source.lines)
