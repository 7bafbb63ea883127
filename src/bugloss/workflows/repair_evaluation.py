"""Repair tools on bugs of the corpus: every answer is tested with the bug's own test, and kept at once."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.check.running.inspection import check_text
from bugloss.check.running.selection import Selection
from bugloss.core.bug import OracleKind, Twin
from bugloss.core.codec import encode
from bugloss.core.errors import BuglossError, FileRefused
from bugloss.core.foreign_file import read_text
from bugloss.core.judgement import Grade
from bugloss.core.patch import Patch, PatchVerdict, TriedPatch
from bugloss.core.written_file import write_inside
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import bug_files
from bugloss.evaluate.repair import FIRST, RepairRow, compare_tools, read_rows, score_groups
from bugloss.repair.baselines.autotrainer import autotrainer_changes
from bugloss.repair.baselines.random_search import random_changes
from bugloss.repair.case import RepairCase
from bugloss.repair.ladder.program_files import apply_edit
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.workflows.bug_trial import run_trial
from bugloss.workflows.diagnosis import DiagnosisRequest
from bugloss.workflows.repair import RepairRequest, repair

ROWS = "repairs.jsonl"
_LARGEST = 50_000_000
_SEEDS = (0, 1)  # a patch that passes with one seed only is not counted as correct
_REFUSED = {PatchVerdict.NOT_APPLIED, PatchVerdict.REGRESSED}

Proposing = Callable[[RepairCase], Sequence[Patch]]
TOOLS: Mapping[str, Proposing | None] = {
    "bugloss": None,
    "random-search": random_changes,
    "autotrainer": autotrainer_changes,
}


@dataclass(frozen=True, slots=True)
class RepairEvaluation:
    """Which tools are tried on which bugs, each with how many seconds, and where the rows are kept."""

    entries: Sequence[Entry]
    tools: Sequence[str]
    folder: Path
    budget: float = 60.0
    jobs: int = 1
    offline: bool = False


def draw(entries: Sequence[Entry], count: int) -> list[Entry]:
    """So many bugs, always the same ones, spread over the corpus; all where none are asked for."""
    drawn = sorted(entries, key=lambda entry: hashlib.sha256(entry.id.encode()).hexdigest())[: count or None]
    return sorted(drawn, key=lambda entry: entry.id) if not count else drawn


def kept_rows(folder: Path) -> list[RepairRow]:
    """The rows of an earlier evaluation."""
    try:
        return read_rows(read_text(folder, ROWS, _LARGEST))
    except FileRefused:
        return []


def repair_row(entry: Entry, tool: str, trial: RepairEvaluation) -> RepairRow:
    """What one tool does with one bug."""
    started = time.monotonic()
    group = "crash" if entry.oracle.kind is OracleKind.EXCEPTION else "silent"
    request = DiagnosisRequest(entry.id, offline=trial.offline, quiet_output=True, timeout=max(trial.budget, 60.0))
    try:
        outcome = repair(RepairRequest(request, trial.budget, trial.jobs, proposed=TOOLS[tool]))
    except BuglossError as error:
        return RepairRow(entry.id, tool, group, 0, 0, 0, False, 0, _since(started), failed=error.message)
    seconds = _since(started)
    patches = [one for one in outcome.patches if one.verdict not in _REFUSED and one not in outcome.parts][:FIRST]
    offered = [one for one in patches if one.verdict is PatchVerdict.FIXED]
    grades = list(_grades(entry, patches, trial))
    passed = [grade is Grade.PASS for grade in grades]
    correct = bool(passed and passed[0]) and _is_correct(entry, patches[0], trial)
    broken = sum(grade is Grade.STRANGE for grade in grades[: len(offered)])
    place = passed.index(True) + 1 if any(passed) else 0
    first = patches[0] if patches else None
    return RepairRow(
        entry.id, tool, group, len(patches), len(offered), place, correct, broken, seconds,
        first.verdict.value if first else "", first.patch.edit.text if first else outcome.words,
        "" if outcome.ran else "; ".join(outcome.remarks),
    )  # fmt: skip


def _grades(entry: Entry, patches: Sequence[TriedPatch], trial: RepairEvaluation) -> Iterator[Grade]:
    """What the test says of the offered patches, then of the others until one passes: the place of that one counts."""
    passed = False
    for one in patches:
        if passed and one.verdict is not PatchVerdict.FIXED:
            return
        grade = _grade(entry, one, trial)
        passed = passed or grade is Grade.PASS
        yield grade


def _grade(entry: Entry, tried: TriedPatch, trial: RepairEvaluation, seed: int = _SEEDS[0]) -> Grade:
    """What the bug's own test says of the patched program."""
    with scratch_folder() as folder:
        for name, text in _patched(entry, tried).items():
            write_inside(folder, name, text)
        try:
            return run_trial(entry, Twin.BUGGY, seed=seed, offline=trial.offline, program=folder).grade
        except BuglossError:
            return Grade.NOT_RUN


def _patched(entry: Entry, tried: TriedPatch) -> dict[str, bytes]:
    files = {file.name: file.read_bytes() for file, _ in bug_files(entry.program(Twin.BUGGY)).files}
    texts = apply_edit(tried.patch.edit, lambda path: _text(files.get(path)))[1]
    return {**files, **{path: text.encode() for path, text in texts.items()}}


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "replace")


def _is_correct(entry: Entry, tried: TriedPatch, trial: RepairEvaluation) -> bool:
    if any(_grade(entry, tried, trial, seed) is not Grade.PASS for seed in _SEEDS[1:]):
        return False
    fixed = {file.name: file.read_bytes() for file, _ in bug_files(entry.program(Twin.FIXED)).files}
    return set(_faults(_patched(entry, tried))) <= set(_faults(fixed))


def _faults(files: Mapping[str, bytes]) -> Iterator[str]:
    """The rules that find something at warning or error."""
    for name, content in files.items():
        if name.endswith(".py"):
            findings = check_text(content.decode("utf-8", "replace"), Selection(), name)
            yield from (finding.rule for finding in findings if finding.severity.rank > 0)


def _since(started: float) -> float:
    return round(time.monotonic() - started, 1)


def document(rows: Sequence[RepairRow]) -> dict[str, object]:
    """The document ``bugloss.evaluation/1`` of repairs."""
    scores = score_groups(rows)
    tools = list(scores)
    return {
        "task": "repair",
        "bugs": len({row.bug for row in rows}),
        "tools": {tool: {name: one.document for name, one in groups.items()} for tool, groups in scores.items()},
        "pairs": [{"first": tools[0], "second": other, **_compared(rows, tools[0], other)} for other in tools[1:]],
        "rows": [encode(row) for row in rows],
    }


def _compared(rows: Sequence[RepairRow], first: str, second: str) -> dict[str, object]:
    found = compare_tools(rows, first, second)
    return {"pairs": found.pairs, "differ": found.differ, "difference": found.difference, "p": found.p}
