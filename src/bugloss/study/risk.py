"""The risk of a fix: what the study of DNN repairs found about fixes that people make, and what was measured here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bugloss.core.taxonomy import FixPattern
from bugloss.study.result import Cell, StudiedTable, StudyResult

SOURCE = 'Islam, Pan, Nguyen, Rajan: "Repairing Deep Neural Networks: Fix Patterns and Challenges", ICSE 2020'


@dataclass(frozen=True, slots=True)
class PublishedRisk:
    """Of 100 fixes that were drawn from Stack Overflow: how many added a bug, and of which kind these bugs were."""

    fixes: int = 100
    added_a_bug: int = 29
    percent_of_new_bugs: Mapping[str, float] = field(
        default_factory=lambda: {
            "type: API bug": 37.9,
            "root cause: API change": 34.5,
            "impact: crash": 55.2,
            "same type as before": 6.8,
            "same root cause as before": 13.8,
            "same impact as before": 24.1,
            "library: Keras": 44.8,
            "library: TensorFlow": 34.5,
            "library: Caffe": 10.3,
            "library: Torch": 6.9,
            "library: Theano": 3.5,
        }
    )


PUBLISHED = PublishedRisk()

# What the study says of a kind of fix; of the others it says nothing by itself.
_OF_PATTERN = {
    FixPattern.DATA_DIMENSION: (
        "Of 59 fixes of data dimensions 11 resize the data, and 7 of these make them smaller: information is lost, and "
        "the model becomes easier to attack."
    ),
    FixPattern.LOSS_FUNCTION: (
        "A loss function that does not fit leaves decision boundaries that overlap, which makes a model easier to "
        "attack; the right one makes it more accurate and more robust."
    ),
    FixPattern.VERSIONING: (
        "34.5 % of the bugs that fixes added come from changes of an API, and most of them crash; a new release may "
        "also draw its random numbers otherwise."
    ),
    FixPattern.API_CONTRACT: "37.9 % of the bugs that fixes added are bugs in the use of an API.",
}
_OF_ANY = "29 of 100 fixes of people added a bug; more than half of these crashed."


def risk_of(pattern: FixPattern) -> str:
    """What the study found for this kind of fix."""
    return f"{_OF_PATTERN[pattern]} {_OF_ANY}" if pattern in _OF_PATTERN else _OF_ANY


@dataclass(frozen=True, slots=True)
class RiskStudy:
    """The published numbers, and those of an evaluation of bugloss: patches offered as verified, and regressions."""

    published: PublishedRisk = PUBLISHED
    offered: int | None = None
    regressions: int | None = None

    @property
    def document(self) -> dict[str, object]:
        measured = None if self.offered is None else {"offered": self.offered, "regressions": self.regressions}
        patterns = {pattern.value: risk_of(pattern) for pattern in FixPattern}
        return {
            "study": "risk",
            "source": SOURCE,
            "fixes": self.published.fixes,
            "added_a_bug": self.published.added_a_bug,
            "percent_of_new_bugs": self.published.percent_of_new_bugs,
            "patterns": patterns,
            "measured": measured,
        }

    @property
    def result(self) -> StudyResult:
        """The same as tables, for files and plots."""
        rows = tuple((name, round(percent / 100, 4)) for name, percent in self.published.percent_of_new_bugs.items())
        columns = ("bugs that fixes added", "share")
        tables = [StudiedTable("new-bugs", "Of the bugs that fixes added", columns, rows, drawn=("share",))]
        fixes: list[tuple[Cell, ...]] = [("fixes of people", self.published.fixes, self.published.added_a_bug)]
        fixes += [("patches of bugloss", self.offered, self.regressions)] if self.offered is not None else []
        tables += [StudiedTable("fixes", "Fixes that added a bug", ("fixes", "count", "added a bug"), tuple(fixes))]
        return StudyResult("risk", SOURCE, tuple(tables))
