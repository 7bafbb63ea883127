"""Everything that the heads learn from, read once, and the candidates among which each head is chosen.

Only 225 issues are labelled by the study. We labelled 1,182 more of development projects, most by title and first
sentence, more roughly (``own_labels.csv``), so that the study's count more or less against them, part by part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bugloss.triage.classifier import ClassifierHead
from bugloss.triage.features import ReportFeatures, features
from triaging.fitting import Examples, GroupPlan, PartPlan, balance, fit
from triaging.rows import Row, read_issues, read_others, read_questions
from triaging.tables import Table, make_tables
from triaging.teaching import Lesson, teach

_CLUES = GroupPlan("clues", weighted=False)
_TAG_CLUES = GroupPlan("tags", weighted=False)
_QUESTION_WORDS = (GroupPlan("words"), GroupPlan("title", 0.7), GroupPlan("tags", 0.7))
_ISSUE_WORDS = (GroupPlan("words", least=5), GroupPlan("title", least=3))
_FEW_CLUES = GroupPlan("clues", 0.15, weighted=False, least=4)

# The mean of both is used: when one could be chosen it always was the second, and the first steadies it a little.
QUESTIONS = {
    "clues": PartPlan((_CLUES, _TAG_CLUES), 0.1),
    "joint": PartPlan((*_QUESTION_WORDS, replace(_FEW_CLUES, least=2)), 5.0),
}

# Types of issues are told by the mean of all: choosing among them by so few rows did worse, in the inner folds too.
ISSUE_TYPES = {
    "clues, trust 1": PartPlan((_CLUES,), 0.05, trust=1.0),
    "clues, trust 3": PartPlan((_CLUES,), 0.05, trust=3.0),
    "joint, trust 2": PartPlan((*_ISSUE_WORDS, _FEW_CLUES), 4.0, trust=2.0, share=2),
    "words, trust 1": PartPlan((GroupPlan("words", least=3), GroupPlan("title")), 4.0, trust=1.0),
    "title, trust 2": PartPlan((GroupPlan("title"), _CLUES), 0.1, trust=2.0),
}
ISSUE_ORIGINS = {
    f"{name}, trust {trust}": replace(plan, trust=trust)
    for trust in (0.5, 2.0)
    for name, plan in {
        "joint": PartPlan((*_ISSUE_WORDS, _FEW_CLUES), 4.0),
        "words": PartPlan((GroupPlan("words", least=3), GroupPlan("title")), 4.0),
    }.items()
}
_SOURCE = PartPlan((GroupPlan("words", least=4),), 10.0)
_NOBODY = np.array([], int)


@dataclass(frozen=True, slots=True)
class Material:
    """Labelled questions, labelled issues, issues that we labelled ourselves, issues without labels: in this order."""

    questions: Sequence[Row]
    issues: Sequence[Row]
    own: Sequence[Row]
    rest: Sequence[Row]
    maybe_held_back: int  # issues that were left out
    repeats: int  # issues that were left out because they say what such an issue, or a labelled one, says
    texts: Sequence[ReportFeatures]
    tables: Mapping[str, Table]

    @classmethod
    def read(cls, data: Path) -> Material:
        """All rows below ``data``."""
        questions, issues, others = read_questions(data), read_issues(data), read_others(data)
        texts = [features(row.report) for row in (*questions, *issues, *others.own, *others.rest)]
        return cls(
            questions,
            issues,
            others.own,
            others.rest,
            others.maybe_held_back,
            others.repeats,
            texts,
            make_tables(texts),
        )

    def question_types(self, *, tags: bool = True) -> Lesson:
        """The type of a Stack Overflow question."""
        return Lesson(
            tables=self.tables,
            candidates=QUESTIONS if tags else {name: _untagged(plan) for name, plan in QUESTIONS.items()},
            texts=np.arange(len(self.questions)),
            labels=tuple(row.label for row in self.questions),
            projects=("",) * len(self.questions),
            own=_NOBODY,
            own_labels=(),
            own_projects=(),
            background=_NOBODY,
            background_projects=(),
            even=False,
            picky=False,
        )

    def issue_types(self) -> Lesson:
        """The type of an issue."""
        lesson = self._issues(ISSUE_TYPES, [row.label for row in self.issues], [row.label for row in self.own])
        return replace(lesson, picky=False, favours=(0.0, 0.15, 0.3, 0.5))

    def issue_origins(self) -> Lesson:
        """Whether an issue comes from inside the project."""
        return self._issues(ISSUE_ORIGINS, [row.origin for row in self.issues], [row.origin for row in self.own])

    def _issues(self, candidates: Mapping[str, PartPlan], labels: Sequence[str], own_labels: Sequence[str]) -> Lesson:
        first, second = len(self.questions), len(self.questions) + len(self.issues)
        third = second + len(self.own)
        return Lesson(
            tables=self.tables,
            candidates=candidates,
            texts=np.arange(first, second),
            labels=tuple(labels),
            projects=tuple(row.project for row in self.issues),
            own=np.arange(second, third),
            own_labels=tuple(own_labels),
            own_projects=tuple(row.project for row in self.own),
            background=np.arange(third, third + len(self.rest)),
            background_projects=tuple(row.project for row in self.rest),
            even=True,
        )

    def source(self) -> ClassifierHead:
        """Tells whether a text of unknown source reads like a question or like an issue."""
        count = len(self.questions) + len(self.issues)
        labels = ["question"] * len(self.questions) + ["issue"] * len(self.issues)
        examples = Examples(np.arange(count), labels, balance(labels), _NOBODY)
        fitted = fit(_SOURCE, examples, self.tables, ("issue", "question"))
        return ClassifierHead(("issue", "question"), 1.0, (fitted.part(self.tables, 1.0),))

    def heads(self) -> dict[str, ClassifierHead]:
        """The heads taught on all rows, under the names that triage calls them by."""
        lessons = {
            "type-question": self.question_types(),
            "type-issue": self.issue_types(),
            "origin-issue": self.issue_origins(),
        }
        taught = {name: teach(lesson, np.arange(len(lesson.labels))) for name, lesson in lessons.items()}
        return {name: result.head() for name, result in taught.items()} | {"source": self.source()}


def _untagged(plan: PartPlan) -> PartPlan:
    return replace(plan, groups=tuple(group for group in plan.groups if group.name != "tags"))
