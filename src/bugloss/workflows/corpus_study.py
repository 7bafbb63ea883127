"""The bugs of a corpus, counted, and the agreement of their two labellings."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.bug import OracleKind, Status, Twin
from bugloss.core.foreign_file import read_text
from bugloss.corpus.collection import load
from bugloss.corpus.entry import Entry
from bugloss.corpus.second_labels import TwiceLabelled, read_second_labels, twice_labelled
from bugloss.corpus.unified_diff import text_files
from bugloss.study.agreement import study_pairs
from bugloss.study.corpus import CountedBug, study_corpus
from bugloss.study.result import StudiedTable, StudyResult


def count_corpus() -> StudyResult:
    """The tables of ``bugloss study corpus``."""
    bugs = [_counted(entry) for entry in _active()]
    agreement = corpus_agreement()
    return study_corpus(bugs, agreement.tables[0] if agreement.tables else None)


def corpus_agreement() -> StudyResult:
    """How far both labellings of the corpus agree, and where they differ."""
    labels = both_labellings()
    questions: dict[str, list[tuple[str, str]]] = {}
    for label in labels:
        questions.setdefault(label.facet, []).append((label.first, label.second))
    if not questions:
        return StudyResult("agreement", "The corpus has no second labelling", ())
    differing = tuple((label.facet, label.bug, label.first, label.second) for label in labels if not label.agree)
    columns = ("question", "bug", "first label", "second label")
    disagreements = StudiedTable("disagreements", "Where the labellings differ", columns, differing)
    table = study_pairs(questions)
    return StudyResult("agreement", "Two labellings of the corpus", (table, disagreements))


def both_labellings() -> tuple[TwiceLabelled, ...]:
    """Every active bug that was labelled twice, facet by facet."""
    return twice_labelled(_active(), read_second_labels(load().root))


def _active() -> list[Entry]:
    """The active bugs that are re-created; the sources of upstream bugs are not part of the corpus."""
    return [entry for entry in load().values() if entry.status is Status.ACTIVE and entry.bug.upstream is None]


def _counted(entry: Entry) -> CountedBug:
    program = entry.program(Twin.BUGGY)
    texts = [read_text(program, name, errors="replace") for name in text_files(program)]
    changed = sum(line[:1] in {"+", "-"} and line[:3] not in {"+++", "---"} for line in entry.diff().splitlines())
    lines = sum(len(text.splitlines()) for text in texts)
    return CountedBug(entry.id, dict(_values(entry)), len(texts), lines, changed, entry.bug.counterparts)


def _values(entry: Entry) -> Iterator[tuple[str, tuple[str, ...]]]:
    bug, labels = entry.bug, entry.bug.labels
    yield "framework", (bug.framework.value,)
    yield "stack", (bug.stack,)
    yield "category", (labels.category.value,)
    yield "bug type", (labels.bug_type.value,)
    yield "general type", (labels.general_type.value,)
    yield "fix pattern", (labels.fix_pattern.value,)
    yield "symptom", (labels.symptom.value,)
    yield "origin", (labels.origin.value,)
    yield "side", ("intrinsic" if labels.origin.value == "intrinsic" else "extrinsic",)
    yield "oracle", (bug.oracle.kind.value,)
    yield "reported on", (bug.origin.kind.value,)
    yield "setting", tuple(setting.value for setting in bug.settings)
    yield "boundary", (bug.releases.package,) if bug.releases else ()
    silent = bug.oracle.kind is OracleKind.SYMPTOM
    yield "silent with statistics", ("yes" if silent else "no",)
