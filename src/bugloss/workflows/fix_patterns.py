"""The fixes of the corpus, classified by their diffs, beside the labels that people gave them."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.core.bug import Status, Twin
from bugloss.core.taxonomy import FixPattern
from bugloss.core.taxonomy.fix_counts import FixCount
from bugloss.corpus.collection import load
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import bug_files
from bugloss.repair.fix_kinds import FixKind, fix_kinds
from bugloss.study.own_fixes import count_fixes
from bugloss.study.result import StudiedTable, StudyResult


@dataclass(frozen=True, slots=True)
class ClassifiedFix:
    """A bug, the pattern that it is labelled with, and those that its diff follows."""

    bug: str
    label: FixPattern
    kinds: tuple[FixKind, ...]


@dataclass(frozen=True, slots=True)
class ClassifierStudy:
    """Every classified fix."""

    fixes: tuple[ClassifiedFix, ...]

    @property
    def first(self) -> int:
        """For how many the first pattern is the labelled one."""
        return sum(bool(fix.kinds) and fix.kinds[0].pattern is fix.label for fix in self.fixes)

    @property
    def any(self) -> int:
        """For how many one of the patterns is."""
        return sum(any(kind.pattern is fix.label for kind in fix.kinds) for fix in self.fixes)

    @property
    def document(self) -> dict[str, object]:
        counts = {"fixes": len(self.fixes), "first": self.first, "any": self.any}
        return {"study": "classifier", **counts, "rows": [_row(fix) for fix in self.fixes]}

    @property
    def result(self) -> StudyResult:
        """A row for each fix, for files."""
        rows = tuple(
            (fix.bug, fix.label.value, " ".join(kind.pattern.value for kind in fix.kinds)) for fix in self.fixes
        )
        table = StudiedTable("classifier", "Fix patterns read from diffs", ("bug", "label", "patterns read"), rows)
        return StudyResult("classifier", "The fixes of the corpus", (table,))


def study_classifier() -> ClassifierStudy:
    """The active bugs of the corpus."""
    entries = [entry for entry in load().values() if entry.status is Status.ACTIVE and entry.bug.upstream is None]
    return ClassifierStudy(tuple(_classified(entry) for entry in entries))


def count_corpus_fixes() -> tuple[FixCount, ...]:
    """The fixes of the active bugs by the patterns that people labelled them with."""
    bugs = [entry.bug for entry in load().values() if entry.status is Status.ACTIVE]
    return count_fixes(
        ("corpus", bug.framework.value, bug.labels.category.title, bug.labels.fix_pattern) for bug in bugs
    )


def _classified(entry: Entry) -> ClassifiedFix:
    before, after = (_texts(entry, twin) for twin in (Twin.BUGGY, Twin.FIXED))
    return ClassifiedFix(entry.id, entry.bug.labels.fix_pattern, fix_kinds(before, after))


def _texts(entry: Entry, twin: Twin) -> dict[str, str]:
    return {file.name: file.read_bytes().decode("utf-8", "replace") for file, _ in bug_files(entry.program(twin)).files}


def _row(fix: ClassifiedFix) -> dict[str, object]:
    kinds = [{"pattern": kind.pattern.value, "evidence": list(kind.evidence)} for kind in fix.kinds]
    return {"bug": fix.bug, "label": fix.label.value, "patterns": kinds}
