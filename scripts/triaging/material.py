"""Everything that the heads learn from, read once; fits any of them on any part of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bugloss.triage.features import Features, features
from triaging.heads import Labelled, Unlabelled, issue_head, origin_head, question_head, source_head
from triaging.rows import Row, read_issues, read_others, read_questions
from triaging.vectors import embed


@dataclass(frozen=True, slots=True)
class Material:
    """Labelled questions, labelled issues, issues that we labelled ourselves, issues without labels."""

    questions: Sequence[Row]
    issues: Sequence[Row]
    own: Sequence[Row]
    asked: Sequence[Features]
    filed: Sequence[Features]
    own_filed: Sequence[Features]
    rest: Unlabelled
    vectors: Any = None
    own_vectors: Any = None

    @classmethod
    def read(cls, data: Path, vectors: Path | None = None) -> Material:
        """All rows below ``data``; with ``vectors``, a folder, also the embeddings of issues."""
        questions, issues, (own, others) = read_questions(data), read_issues(data), read_others(data)
        embedded = [None, None, None]
        if vectors is not None:
            vectors.mkdir(parents=True, exist_ok=True)
            reports = ([row.report for row in issues], [row.report for row in own], others)
            names = ("issues.npy", "own.npy", "rest.npy")
            embedded = [embed(part, vectors / name) for part, name in zip(reports, names, strict=True)]
        return cls(
            questions=questions,
            issues=issues,
            own=own,
            asked=[features(row.report) for row in questions],
            filed=[features(row.report) for row in issues],
            own_filed=[features(row.report) for row in own],
            rest=Unlabelled([features(report) for report in others], embedded[2]),
            vectors=embedded[0],
            own_vectors=embedded[1],
        )

    @property
    def types_asked(self) -> list[str]:
        return [row.label for row in self.questions]

    @property
    def types_filed(self) -> list[str]:
        return [row.label for row in self.issues]

    @property
    def origins(self) -> list[str]:
        return [row.origin for row in self.issues]

    def fit_question(self, rows: Sequence[int]) -> dict[str, Any]:
        return question_head([self.asked[at] for at in rows], [self.questions[at].label for at in rows])

    def fit_issue(self, rows: Sequence[int]) -> dict[str, Any]:
        types = self.types_filed
        own = Labelled(self.own_filed, [row.label for row in self.own], self.own_vectors)
        return issue_head(self._given(rows, types), self._elsewhere(own, rows), self.rest)

    def fit_origin(self, rows: Sequence[int]) -> dict[str, Any]:
        own = Labelled(self.own_filed, [row.origin for row in self.own], self.own_vectors)
        return origin_head(self._given(rows, self.origins), self._elsewhere(own, rows), self.rest)

    def _given(self, rows: Sequence[int], labels: Sequence[str]) -> Labelled:
        vectors = self.vectors[list(rows)] if self.vectors is not None else None
        return Labelled([self.filed[at] for at in rows], [labels[at] for at in rows], vectors)

    def _elsewhere(self, own: Labelled, rows: Sequence[int]) -> Labelled:
        """Our own labels, without those of a project that is left out altogether."""
        left_out = {row.project for row in self.issues} - {self.issues[at].project for at in rows}
        kept = [at for at, row in enumerate(self.own) if row.project not in left_out]
        vectors = own.vectors[kept] if own.vectors is not None else None
        return Labelled([own.rows[at] for at in kept], [own.labels[at] for at in kept], vectors)

    def fit_source(self) -> dict[str, Any]:
        return source_head(self.asked, self.filed)

    def fit_all(self) -> dict[str, dict[str, Any]]:
        """The heads on all rows, under the names that triage calls them by."""
        asked, filed = range(len(self.asked)), range(len(self.filed))
        return {
            "type:question": self.fit_question(asked),
            "type:issue": self.fit_issue(filed),
            "origin:issue": self.fit_origin(filed),
            "source": self.fit_source(),
        }
