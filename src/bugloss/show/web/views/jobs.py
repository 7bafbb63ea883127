"""Jobs: a list, one job while it runs, and what came out of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import Any

from bugloss.core.plural import plural
from bugloss.record.store.job import JobEvent, JobEventKind, JobRecord, JobState
from bugloss.show.api.jobs.service import Jobs
from bugloss.show.page.figures import number, seconds

TONES = {JobState.DONE: "good", JobState.FAILED: "bad", JobState.CANCELLED: "warn"}
_GRADES = {"pass": "good", "fail": "bad"}
_LONGEST_OUTPUT = 6_000


@dataclass(frozen=True, slots=True)
class JobPart:
    """A part of what came out: sentences, a table, a diff or code, as far as it has them."""

    title: str
    sentences: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    diff: str = ""
    code: str = ""
    chip: tuple[str, str] = ("", "")  # words and their tone


@dataclass(frozen=True, slots=True)
class JobRowView:
    """A job in a list."""

    id: str
    verb: str
    subject: str
    state: str
    tone: str
    when: str
    took: str


@dataclass(frozen=True, slots=True)
class JobView:
    """One job."""

    row: JobRowView
    facts: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]
    error: str
    hint: str
    parts: tuple[JobPart, ...]
    links: tuple[tuple[str, str], ...]
    is_final: bool


def row_of(job: JobRecord) -> JobRowView:
    """A job as a list shows it."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(job.created_at))
    return JobRowView(job.id, job.verb, job.subject, job.state.value, TONES.get(job.state, ""), when, _took(job))


def _took(job: JobRecord) -> str:
    return seconds(job.finished_at - job.started_at) if job.started_at and job.finished_at else ""


def outcome_of(jobs: Jobs, job: JobRecord) -> str:
    """What came out of a job of a list, which has no results; empty while it runs."""
    return _outcome(jobs, job.id) if job.state.is_final else ""


@lru_cache(maxsize=1024)
def _outcome(jobs: Jobs, job_id: str) -> str:
    """Of a job that is over, which does not change any more."""
    return in_short(jobs.get(job_id))


def view_job(job: JobRecord, events: Sequence[JobEvent], links: Sequence[tuple[str, str]] = ()) -> JobView:
    """A job with what it said and what came out."""
    error = job.error or {}
    result = job.result if isinstance(job.result, Mapping) else {}
    return JobView(
        row_of(job),
        tuple(_facts(job)),
        tuple(event.text for event in events if event.kind is JobEventKind.PROGRESS),
        str(error.get("message", "")),
        str(error.get("hint", "")),
        tuple(_PARTS[job.verb](result)) if result and job.verb in _PARTS else (),
        tuple(links),
        job.state.is_final,
    )


def in_short(job: JobRecord) -> str:
    """What came out of a job, in a few words; empty where nothing is known."""
    result = job.result if isinstance(job.result, Mapping) else {}
    first = next(_PARTS[job.verb](result), None) if result and job.verb in _PARTS else None
    if first is None:
        return str((job.error or {}).get("message", ""))
    rows = ", ".join(row[1] for row in first.rows) if job.verb == "verify" else ""
    words = first.chip[0] or rows or next(iter(first.sentences), "")
    return f"{first.title}: {words}" if words else first.title


def _facts(job: JobRecord) -> Iterator[tuple[str, str]]:
    yield "asked for", time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(job.created_at))
    if job.started_at is not None:
        yield "waited", seconds(job.started_at - job.created_at)
        if job.finished_at is not None:
            yield "took", seconds(job.finished_at - job.started_at)
    if job.attempt > 1:
        yield "starts", f"{job.attempt}: a server stopped while it ran"
    if job.exit_code is not None:
        yield "exit code", str(job.exit_code)


def _test(result: Mapping[str, Any]) -> Iterator[JobPart]:
    run = result.get("run") or {}
    grade = str(result.get("grade", ""))
    yield JobPart(
        f"The test on the {result.get('twin', '')} program",
        (str(result.get("reason") or ""),),
        chip=(grade, _GRADES.get(grade, "warn")),
    )
    measured = result.get("measured")
    if isinstance(measured, Mapping) and measured:
        yield JobPart("Measured", rows=tuple((str(key), _plain(value)) for key, value in measured.items()))
    exception = run.get("exception") or {}
    if exception:
        yield JobPart("Exception", code=f"{exception.get('kind', '')}: {exception.get('message', '')}")
    for stream in ("stdout", "stderr"):
        printed = str((run.get(stream) or {}).get("text") or "").strip()
        if printed:
            yield JobPart(f"The program's {stream}", code=printed[-_LONGEST_OUTPUT:])


def _verify(result: Mapping[str, Any]) -> Iterator[JobPart]:
    rows = tuple(
        (
            str(bug.get("bug")),
            str(bug.get("status")),
            str(bug.get("buggy")),
            str(bug.get("fixed")),
            _plain(bug.get("seconds")),
            str(bug.get("reason") or ""),
        )
        for bug in result.get("bugs", ())
    )
    yield JobPart("Verification", headings=("bug", "status", "buggy", "fixed", "seconds", "reason"), rows=rows)


def _diagnose(result: Mapping[str, Any]) -> Iterator[JobPart]:
    for cause in result.get("causes", ())[:3]:
        places = [
            f"{PurePath(str(place.get('path'))).name}:{place.get('line')}" for place in cause.get("locations", ())[:2]
        ]
        edit = (cause.get("edit") or {}).get("text") or cause.get("advice") or ""
        sentences = (str(cause.get("explanation", "")), f"Change: {edit}" if edit else "", *places)
        words = f"{100 * float(cause.get('confidence', 0)):.0f} % sure"
        yield JobPart(str(cause.get("cause")), tuple(filter(None, sentences)), chip=(words, "good"))
    rows = tuple(
        (str(one.get("name")), str(one.get("severity")), _plain(one.get("step")), str(one.get("message", "")))
        for one in result.get("symptoms", ())[:30]
    )
    yield JobPart(
        "Symptoms", () if rows else ("No symptom was seen.",), ("symptom", "severity", "step", "message"), rows
    )
    for answer in result.get("tools", ()):
        yield _tool(answer)


def _tool(answer: Mapping[str, Any]) -> JobPart:
    """What a published tool says."""
    causes = [f"{cause.get('cause')}: {cause.get('explanation')}" for cause in answer.get("causes", ())[:5]]
    rows = tuple(
        (str(one.get("layer")), _plain(one.get("score")), str(one.get("why", "")))
        for one in answer.get("suspects", ())[:15]
    )
    said = (*causes, *map(str, answer.get("remarks", ()))) or (("",) if rows else ("It finds nothing.",))
    return JobPart(f"Tool: {answer.get('tool')}", said, ("layer", "score", "why") if rows else (), rows)


def _repair(result: Mapping[str, Any]) -> Iterator[JobPart]:
    patches = result.get("patches", ())
    for patch in patches[:5]:
        verdict = str(patch.get("verdict"))
        evidence = patch.get("evidence") or {}
        rows = tuple(_before_after(evidence))
        words = str(patch.get("text") or patch.get("fix_pattern") or "")
        yield JobPart(
            f"Patch: {words}",
            (str(patch.get("reason") or ""),) if patch.get("reason") else (),
            ("", "before", "after") if rows else (),
            rows,
            str(patch.get("diff") or ""),
            chip=(verdict, "good" if verdict == "fixed" else "warn"),
        )
    if not patches:
        yield JobPart("Patches", ("No patch was found that helps.",))


def _before_after(evidence: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    before, after = evidence.get("before") or {}, evidence.get("after") or {}
    for name in dict.fromkeys([*before, *after]):
        yield name.replace("_", " "), _plain(before.get(name)), _plain(after.get(name))
    for name in ("seeds", "p_value", "effect"):
        if evidence.get(name) is not None:
            yield name.replace("_", " "), "", _plain(evidence[name])


def _reproduce(result: Mapping[str, Any]) -> Iterator[JobPart]:
    level = str(result.get("verdict"))
    expected, observed = result.get("expected") or {}, result.get("observed") or {}
    rows = tuple((key, _plain(expected.get(key)), _plain(observed.get(key))) for key in ("exception", "message"))
    tone = "good" if level in {"R3", "R4"} else "warn"
    yield JobPart(
        "Reproduction", (str(result.get("reason") or ""),), ("", "expected", "seen"), rows, chip=(level, tone)
    )
    edits = tuple((str(one.get("action")), str(one.get("why", ""))) for one in result.get("edits", ()))
    if edits:
        yield JobPart("Edits", headings=("action", "why"), rows=edits)


def _investigate(result: Mapping[str, Any]) -> Iterator[JobPart]:
    """The steps of a case, each as the job of its own verb shows it; a step that was not reached has no document."""
    for name, parts in (("reproduction", _reproduce), ("diagnosis", _diagnose), ("ranking", _localize)):
        document = result.get(name)
        if isinstance(document, Mapping):
            yield from parts(document)
    repair = result.get("repair")
    if isinstance(repair, Mapping):
        yield from _repair(repair)


def _localize(result: Mapping[str, Any]) -> Iterator[JobPart]:
    rows = tuple(
        (str(one.get("path")), _plain(one.get("score")), "; ".join(map(str, one.get("why", ())[:2])))
        for one in result.get("ranking", ())[:20]
    )
    sentences = () if rows else ("No file fits the report.",)
    yield JobPart("Files to open", sentences, ("file", "score", "why") if rows else (), rows)


def _evaluate(result: Mapping[str, Any]) -> Iterator[JobPart]:
    for section in result.get("sections", ()):
        scores = {str(tool): one.get("measures") or {} for tool, one in (section.get("scores") or {}).items()}
        names = tuple(dict.fromkeys(name for measures in scores.values() for name in measures))
        rows = tuple((tool, *(_measure(measures.get(name)) for name in names)) for tool, measures in scores.items())
        title = f"Scores on {plural(len(section.get('bugs', ())), str(section.get('kind')) + ' bug')}"
        first = [f"{tool} {names[0]} {_measure(one.get(names[0]))}" for tool, one in scores.items()] if names else []
        yield JobPart(title, ("; ".join(first),), ("tool", *names), rows)


def _measure(one: Mapping[str, Any] | None) -> str:
    if not one or one.get("value") is None:
        return "–"
    return f"{one['value']:.2f}"


def _findings(result: Mapping[str, Any]) -> Iterator[JobPart]:
    for finding in result.get("findings", ()):
        severity = str(finding.get("severity"))
        tone = "bad" if severity == "error" else "warn"
        title = f"{finding.get('rule')}, line {finding.get('line')}"
        yield JobPart(title, (str(finding.get("message")),), chip=(severity, tone))
    if not result.get("findings"):
        yield JobPart("Findings", ("No operation was found that returns NaN or infinity.",))


_PARTS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[JobPart]]] = {
    "test": _test,
    "verify": _verify,
    "diagnose": _diagnose,
    "repair": _repair,
    "reproduce": _reproduce,
    "grist": _findings,
    "investigate": _investigate,
    "localize": _localize,
    "evaluate": _evaluate,
}


def _plain(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, list):
        return ", ".join(_plain(one) for one in value[:12]) + (" …" if len(value) > 12 else "")
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(one)}" for key, one in list(value.items())[:12])
    return str(value)
