"""What the page of a case shows, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.core.text_diff import text_diff
from bugloss.show.page.patch_view import PatchView, patch_view

if TYPE_CHECKING:
    from bugloss.core.ranking import RankedFile, Ranking
    from bugloss.core.report import Report
    from bugloss.core.reproduction import ProgramEdit
    from bugloss.workflows.investigation import Investigation

_TONES = {"R4": "good", "R3": "good", "R2": "fair", "R1": "bad", "R0": "bad"}


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """A line of the script; ``ours`` where bugloss wrote or changed it."""

    number: int
    text: str
    ours: bool


@dataclass(frozen=True, slots=True)
class EditRow:
    """One edit: its action, why, the report's words, and the lines it touched."""

    code: str
    name: str
    meaning: str
    why: str
    words: str
    lines: str
    needed: str
    diff: str = ""


@dataclass(frozen=True, slots=True)
class FileRow:
    """A ranked file: how sure, why, and which functions to look at."""

    path: str
    score: str
    why: tuple[str, ...]
    functions: str


@dataclass(frozen=True, slots=True)
class PlacesView:
    """Where in the repository to look."""

    commit: str
    candidates: int
    files: tuple[FileRow, ...]
    outside: str  # empty unless the cause may lie outside of the source
    settings: tuple[FileRow, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseView:
    """Everything the template needs."""

    title: str
    source: str
    tags: tuple[str, ...]
    level: str
    tone: str
    verdict: str
    reason: str
    expected: str
    observed: str
    command: str
    script: tuple[ScriptLine, ...]
    edits: tuple[EditRow, ...]
    facts: tuple[tuple[str, str], ...]
    questions: tuple[str, ...]
    kind: str
    kind_share: str
    origin: str
    words: tuple[str, ...]
    information: tuple[tuple[str, bool], ...]
    attempts: tuple[tuple[int, str, str, str, str], ...]
    causes: tuple[tuple[str, str, str, tuple[str, ...]], ...]
    similar: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]
    body: str
    version: str
    places: PlacesView | None = None
    patch: PatchView | None = None
    repair: str = ""  # what came of the repair, where no patch was shown to help


def view_of(case: Investigation, folder: Path, version: str) -> CaseView:
    """The investigation as the page shows it."""
    found, report = case.reproduction, case.triaged.reading.report
    triage = case.triaged.result
    return CaseView(
        title=report.title or "(no title)",
        source=report.url or "a report without a URL",
        tags=report.tags,
        level=found.level.value,
        tone=_TONES[found.level.value],
        verdict=found.level.words,
        reason=found.reason,
        expected=found.expected_words,
        observed=found.observed_words,
        command=found.command(folder),
        script=_script(case),
        edits=tuple(_edit(entry, lines) for entry, lines in zip(found.log, found.lines, strict=True)),
        facts=_facts(case),
        questions=found.questions or tuple(triage.questions),
        kind=triage.bug_type.label.title,
        kind_share=f"{triage.bug_type.probability:.0%}",
        origin="outside the project" if triage.origin.extrinsic else "in the code",
        words=tuple(" ".join(one.text.split()) for one in triage.bug_type.evidence[:5]),
        information=tuple((kind.title, state.present) for kind, state in triage.information.items()),
        attempts=tuple(
            (one.number, one.level.value, one.outcome, one.edits[-1] if one.edits else "", one.reason)
            for one in found.attempts
        ),
        causes=_causes(case),
        similar=tuple((one.bug, one.title) for one in triage.similar),
        remarks=(*found.remarks, *case.remarks),
        body=_shortened(report),
        version=version,
        places=_places(case.ranking) if case.ranking is not None else None,
        patch=patch_view(case.repair, folder, case.reported) if case.repair is not None else None,
        repair=case.repair.words if case.repair is not None and case.repair.best is None else "",
    )


def _places(ranking: Ranking) -> PlacesView:
    outside = ranking.outside
    kind = f" ({outside.kind.title.lower()})" if outside is not None and outside.kind else ""
    return PlacesView(
        ranking.commit[:10],
        ranking.candidates,
        tuple(_file(file) for file in ranking.files),
        f"The cause may be outside the source code{kind} ({outside.probability:.0%})." if outside is not None else "",
        tuple(_file(file) for file in ranking.settings),
        ranking.remarks,
    )


def _file(file: RankedFile) -> FileRow:
    functions = ", ".join(f"{one.name} (line {one.line})" for one in file.functions)
    return FileRow(file.path, f"{file.score:.2f}", file.why, functions)


def _script(case: Investigation) -> tuple[ScriptLine, ...]:
    found = case.reproduction
    reported = {line.strip() for line in case.triaged.reading.report.body.split("\n")}
    lines = found.script.rstrip("\n").split("\n") if found.script else []
    return tuple(
        ScriptLine(number, line, bool(line.strip()) and line.strip() not in reported)
        for number, line in enumerate(lines, start=1)
    )


def _edit(entry: ProgramEdit, lines: tuple[int, int]) -> EditRow:
    words = " ".join(entry.quotes[0].text.split())[:120] if entry.quotes else ""
    needed = {None: "", True: "yes", False: "no"}[entry.needed]
    where = "" if lines == (0, 0) else f"{lines[0]}" if lines[0] == lines[1] else f"{lines[0]}–{lines[1]}"
    action = entry.action
    diff = text_diff(entry.before, entry.after, "before", "after")
    return EditRow(action.code, action.title, action.definition, entry.why, words, where, needed, diff)


def _facts(case: Investigation) -> tuple[tuple[str, str], ...]:
    found = case.reproduction
    matched = sum(run.outcome == "match" for run in found.runs)
    rows = [
        ("Stack", f"{found.choice.stack} ({'; '.join(found.choice.reasons)})" if found.choice is not None else ""),
        ("Environment", found.environment.digest if found.environment is not None else ""),
        ("Confirming runs", f"{matched} of {len(found.runs)} runs show it" if found.runs else "none"),
        ("Attempts", str(len(found.attempts))),
        ("Seconds", f"{found.seconds:.0f}"),
        ("Isolation level", found.isolation),
        ("Stopped because", found.stopped),
    ]
    return tuple((name, value) for name, value in rows if value)


def _causes(case: Investigation) -> tuple[tuple[str, str, str, tuple[str, ...]], ...]:
    if case.diagnosis is None:
        return ()
    return tuple(
        (
            cause.cause,
            cause.explanation,
            cause.change,
            tuple(f"line {place.line}: {place.why}" for place in cause.locations[:2]),
        )
        for cause in case.diagnosis.causes[:3]
    )


def _shortened(report: Report, most: int = 20_000) -> str:
    return (
        report.body
        if len(report.body) <= most
        else f"{report.body[:most]}\n… {len(report.body) - most} characters left out"
    )
