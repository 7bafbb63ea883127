"""The page of a bug: labels, report, fix, environment, stability, similar bugs, and what can be run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.bug import OracleKind, Twin
from bugloss.core.errors import BuglossError
from bugloss.corpus.catalogue import FACETS, Catalogue
from bugloss.corpus.entry import Entry
from bugloss.corpus.where import value_of
from bugloss.show.bug_conditions import conditions_of
from bugloss.show.web.views.code import DiffFile, side_by_side
from bugloss.show.web.views.report import ReportView, view_report
from bugloss.stacks.stack import Stack
from bugloss.workflows.forecast import Forecast, forecast
from bugloss.workflows.triage import read

_COUNT = re.compile(r"(\d+)/(\d+)")
_LABELS = (
    "framework",
    "kind",
    "category",
    "bug_type",
    "general_type",
    "symptom",
    "property",
    "fix_pattern",
    "origin",
    "source",
)


@dataclass(frozen=True, slots=True)
class LabelView:
    """A label with its meaning and the address of all bugs that have it."""

    facet: str
    title: str
    definition: str
    address: str


@dataclass(frozen=True, slots=True)
class SimilarView:
    """A similar bug, how similar, and in what."""

    bug: str
    title: str
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class StabilityView:
    """How a bug stood when it was last verified; a dot for each run, true where it went as it must."""

    standing: str
    buggy: tuple[bool, ...]
    fixed: tuple[bool, ...]
    words: str
    facts: tuple[tuple[str, str], ...]
    stale: bool


@dataclass(frozen=True, slots=True)
class BugView:
    """Everything that the page shows without running anything."""

    id: str
    title: str
    status: str
    retired: str
    labels: tuple[LabelView, ...]
    edit_actions: tuple[tuple[str, str], ...]
    origin: str
    aliases: tuple[str, ...]
    reported_with: str
    oracle: tuple[tuple[str, str], ...]
    report: ReportView
    files: tuple[DiffFile, ...]
    whole: bool
    test: str
    data: str
    notes: str
    conditions: tuple[tuple[str, str], ...]
    forecast: Forecast
    stack: Stack
    commands: tuple[tuple[str, str], ...]
    stability: StabilityView | None
    support: int
    similar: tuple[SimilarView, ...]
    problems: tuple[str, ...]


def view_bug(entry: Entry, catalogue: Catalogue, *, whole: bool = False) -> BugView:
    """The page of a bug of the catalogue."""
    bug = entry.bug
    problems: list[str] = []
    labels = bug.labels
    return BugView(
        bug.id,
        bug.title,
        entry.status.value,
        f"{entry.retirement.since}: {entry.retirement.why}" if entry.retirement else "",
        tuple(_labels(entry)),
        tuple((action.title, action.definition) for action in labels.edit_actions),
        bug.origin.url,
        bug.origin.aliases,
        bug.origin.reported_with,
        tuple(_oracle(entry, problems)),
        view_report(read(str(bug.folder / "report.md"), offline=True)),
        side_by_side(*(_files(entry, twin) for twin in Twin), whole=whole),
        whole,
        entry.test_text,
        f"{bug.data.recipe} ({bug.data.licence})",
        bug.notes,
        tuple(conditions_of(bug).items()),
        forecast(entry),
        entry.stack,
        _commands(bug.id),
        _stability(entry),
        catalogue.similarities.support(entry.id),
        tuple(_similar(entry, catalogue)),
        tuple(problems),
    )


def _files(entry: Entry, twin: Twin) -> Path:
    """A program; of an upstream bug whose sources are not here what the corpus has of it."""
    return entry.program(twin) if entry.at_hand else entry.own_program(twin)


def _labels(entry: Entry) -> Iterator[LabelView]:
    for facet in FACETS:
        if facet.name in _LABELS:
            value = str(value_of(entry, facet.name))
            address = f"/explore?{facet.name}={value}"
            yield LabelView(facet.title, facet.title_of(value), facet.definition_of(value), address)


def _oracle(entry: Entry, problems: list[str]) -> Iterator[tuple[str, str]]:
    stated = entry.bug.oracle
    yield "kind", stated.kind.value
    if stated.kind is OracleKind.EXCEPTION:
        yield "exception", stated.exception
        yield "message", stated.message
        yield "raised in", stated.raised_in
        return
    try:
        measured = entry.oracle.measurement
    except BuglossError as error:
        problems.append(error.message)
        return
    if measured is None:
        return
    yield "measured", measured.metric
    if measured.bound is not None:
        yield "healthy", f"{measured.bound.kind.value} {measured.bound.limit}"
    if measured.ratio is not None:
        yield "unhealthy", f"{measured.ratio:g} times the cost of the fixed program"
    if measured.repeats > 1:
        yield "seeds", str(measured.repeats)


def _commands(bug: str) -> tuple[tuple[str, str], ...]:
    return (
        ("Run the test on the buggy program: it fails", f"bugloss test {bug}b"),
        ("Run the test on the fixed program: it passes", f"bugloss test {bug}f"),
        ("Get the buggy program, without anything that gives the fix away", f"bugloss checkout {bug}b -w work"),
        ("Verify both programs, five runs each", f"bugloss verify {bug}"),
        ("Get its environment for another tool", f"bugloss export {bug} --format docker"),
    )


def _stability(entry: Entry) -> StabilityView | None:
    verified = entry.verified
    if verified is None:
        return None
    facts = [
        ("date", verified.date),
        ("platform", verified.platform),
        ("isolation", verified.isolation),
        ("environment", verified.environment),
        ("took", f"{verified.seconds:g} s"),
    ]
    facts += [("p value", f"{verified.p_value:.2g}")] if verified.p_value is not None else []
    facts += [("A12", f"{verified.a12:.2f}")] if verified.a12 is not None else []
    return StabilityView(
        verified.standing,
        dots(verified.buggy),
        dots(verified.fixed),
        f"{verified.buggy} on buggy, {verified.fixed} on fixed",
        tuple(facts),
        verified.digest != entry.digest(),
    )


def dots(words: str) -> tuple[bool, ...]:
    """``4/5 fail`` as four that went as they must, and one that did not."""
    found = _COUNT.match(words)
    if found is None:
        return ()
    right, runs = int(found[1]), min(int(found[2]), 50)
    return tuple(number < right for number in range(runs))


def _similar(entry: Entry, catalogue: Catalogue) -> Iterator[SimilarView]:
    titles: Mapping[str, str] = {other.id: other.bug.title for other in catalogue.entries}
    for hit in catalogue.similarities.similar(entry.id):
        yield SimilarView(hit.bug, titles[hit.bug], hit.score, hit.excerpt)
