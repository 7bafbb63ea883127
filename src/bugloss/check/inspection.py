"""Checks files: reads them, asks every chosen rule, drops what is ignored, and says what was skipped."""

from __future__ import annotations

import gc
import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Protocol

from bugloss.check.contract import Rule
from bugloss.check.program import Program
from bugloss.check.selection import Selection
from bugloss.check.source import Skipped, SourceFile, ignored_rules, parse_content, parse_source, read_content
from bugloss.check.target import pins_near
from bugloss.core.errors import BrokenPlugin, InvalidInput
from bugloss.core.finding import Finding
from bugloss.core.foreign_file import not_a_file
from bugloss.core.garbage import no_garbage_search
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the check of one file came to."""

    findings: tuple[Finding, ...] = ()
    skipped: Skipped | None = None
    lines: int = 0


class Memory(Protocol):
    """Outcomes of earlier checks; each has a name that stands for all it depends on."""

    def recall(self, names: Sequence[str]) -> Mapping[str, Outcome]:
        """The outcomes that are known."""
        ...

    def keep(self, outcomes: Mapping[str, Outcome]) -> None:
        """Remembers outcomes for the next time."""
        ...


_File = tuple[Path, str, Path | None]  # where it lies, what it is called, and the folder that it was found below
_Named = tuple[str | None, Outcome]


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
    return load(RULE_GROUP, Rule)


def check_paths(paths: Sequence[Path], selection: Selection, jobs: int = 1, memory: Memory | None = None) -> Inspection:
    """Checks files and folders; the findings come sorted by place. What the memory knows is not checked again."""
    start = time.monotonic()
    files = list(_find(paths))
    known = _recalled(files, selection, memory) if memory is not None else {}
    fresh = [file for file in files if file not in known]
    checked = _check_together(fresh, selection, jobs) if jobs > 1 and len(fresh) > 8 else _check_all(fresh, selection)
    if memory is not None:
        memory.keep({name: outcome for name, outcome in checked if name is not None})
    known |= {file: outcome for file, (_, outcome) in zip(fresh, checked, strict=True)}
    outcomes = [known[file] for file in files]
    findings = [finding for outcome in outcomes for finding in outcome.findings]
    skipped = tuple(outcome.skipped for outcome in outcomes if outcome.skipped is not None)
    lines = sum(outcome.lines for outcome in outcomes)
    ordered = tuple(sorted(findings, key=lambda finding: (finding.path, finding.span, finding.rule)))
    return Inspection(ordered, len(files), lines, skipped, time.monotonic() - start)


def _recalled(files: Sequence[_File], selection: Selection, memory: Memory) -> dict[_File, Outcome]:
    """The files whose outcome is known."""
    names = {}
    for path, shown, root in files:
        content = read_content(path, shown, root)
        if not isinstance(content, Skipped):
            names[path, shown, root] = _name(content, path, shown, selection)
    outcomes = memory.recall(list(names.values()))
    return {file: outcomes[name] for file, name in names.items() if name in outcomes}


def _name(content: bytes, path: Path, shown: str, selection: Selection) -> str:
    """Stands for everything in a project that the outcome for a file depends on; the rules are the memory's concern."""
    settings = repr((shown, selection, sorted(pins_near(path).items())))
    return hashlib.sha256(settings.encode(errors="surrogateescape") + b"\0" + content).hexdigest()


def _check_together(files: Sequence[_File], selection: Selection, jobs: int) -> list[_Named]:
    """Checks files in several processes, in parts small enough for all to end at about the same time."""
    size = max(1, len(files) // (jobs * 8))
    parts = [files[start : start + size] for start in range(0, len(files), size)]
    with ProcessPoolExecutor(jobs) as pool:
        return list(chain.from_iterable(pool.map(_check_all, parts, [selection] * len(parts))))


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
    for rule in _rules_in_turn():
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
    return ((path, shown) for path, shown, _ in _find(paths))


def _find(paths: Iterable[Path]) -> Iterator[_File]:
    seen: set[str] = set()
    for path in paths:
        if not path.exists():
            raise InvalidInput(f"{path} does not exist.")
        if not path.is_dir() and not path.is_file():
            raise not_a_file(path, path.stat().st_mode)
        for found in _below(path) if path.is_dir() else [path]:
            real = os.path.realpath(found)
            if real not in seen:
                seen.add(real)
                yield found, found.as_posix(), path if path.is_dir() else None


def _below(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED_FOLDERS)
        for name in sorted(names):
            if name.endswith((".py", ".ipynb")):
                yield Path(root, name)


def _check_all(files: Sequence[_File], selection: Selection) -> list[_Named]:
    """Checks files one after the other, looking for garbage once in a hundred only.

    What the rules derive from a file refers to itself, so only that search frees it; but while a file is looked at
    nearly everything lives, and searching each time would cost a fifth of the time.
    """
    outcomes = []
    with no_garbage_search():
        for number, file in enumerate(files, start=1):
            outcomes.append(_check_one(file, selection))
            if number % _FILES_BETWEEN_COLLECTIONS == 0:
                gc.collect()
    return outcomes


def _check_one(file: _File, selection: Selection) -> _Named:
    """The outcome, named after the very bytes that were checked: the file may have changed since it was looked up."""
    path, shown, root = file
    content = read_content(path, shown, root)
    if isinstance(content, Skipped):
        return None, Outcome(skipped=content)
    name, source = _name(content, path, shown, selection), parse_content(content, path, shown)
    if isinstance(source, Skipped):
        return name, Outcome(skipped=source)
    return name, Outcome(tuple(check_source(source, selection)), lines=len(source.lines))
