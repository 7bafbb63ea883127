"""The localization study's tables 8, 14, 22, 28 and 30, laid out as it lays them out, with our own measurements.

Jahan, Shah and Rahman, Towards Understanding the Challenges of Bug Localization in Deep Learning Systems (2025). They
draw samples; here every report counts that has the label a column asks for. Where there is none, the cell is a dash.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from bugloss.evaluate.labels import EXTRINSIC, INTRINSIC, NOT_DEEP_LEARNING
from bugloss.evaluate.localization import Rankings, hits_of
from bugloss.evaluate.retrieval import ScoredRanking
from bugloss.evaluate.subjects import DEEP_LEARNING, TRADITIONAL, RankedReport

METHODS = {"buglocator": "BugLocator", "bluir": "BLUiR", "blia": "BLIA", "dnnloc": "DNNLOC", "bjxnet": "bjXnet"}
SYSTEMS = {"DLSW": DEEP_LEARNING, "NDLSW": TRADITIONAL}
CLASSES = ("Framework", "Library", "Tool")
TYPES = {"Model": "model", "Training": "training", "Tensor": "tensor", "API": "api", "GPU": "gpu"}
NOTHING = "–"

Measure = Callable[[ScoredRanking], float]
Filter = Callable[[RankedReport], bool]


def _within(k: int) -> Measure:
    return lambda hit: float(hit.within(k))


def _reciprocal(hit: ScoredRanking) -> float:
    return hit.reciprocal_rank


def _precision(hit: ScoredRanking) -> float:
    return hit.average_precision


TOP = {f"Top@{k}": _within(k) for k in (1, 5, 10)}


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under one heading; the first cell of a row is the method."""

    name: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class StudyTable:
    """One of the study's tables."""

    number: int
    title: str
    columns: tuple[str, ...]
    sections: tuple[Section, ...]
    note: str


@dataclass(frozen=True, slots=True)
class _Results:
    subjects: Sequence[RankedReport]
    hits: Mapping[str, Sequence[ScoredRanking]]

    @property
    def methods(self) -> list[str]:
        """Those of the study first, in its order."""
        known = [name for name in METHODS if name in self.hits]
        return [*known, *(name for name in self.hits if name not in METHODS)]

    def cell(self, method: str, measure: Measure, wanted: Filter) -> str:
        """The mean of a measure over the reports that are wanted."""
        pairs = zip(self.subjects, self.hits[method], strict=True)
        values = [measure(hit) for subject, hit in pairs if wanted(subject)]
        return f"{fmean(values):.3f}" if values else NOTHING

    def rows(self, cells: Sequence[tuple[Measure, Filter]]) -> tuple[tuple[str, ...], ...]:
        return tuple(
            (METHODS.get(method, method), *(self.cell(method, measure, wanted) for measure, wanted in cells))
            for method in self.methods
        )

    def count(self, wanted: Filter) -> int:
        return sum(map(wanted, self.subjects))


def study_tables(subjects: Sequence[RankedReport], rankings: Rankings) -> tuple[StudyTable, ...]:
    """All five."""
    results = _Results(subjects, hits_of(subjects, rankings))
    return tuple(make(results) for make in (_table8, _table14, _table22, _table28, _table30))


def _in_system(system: str) -> Filter:
    return lambda subject: subject.system == system


def _counted(results: _Results, filters: Mapping[str, Filter]) -> str:
    return "Reports: " + ", ".join(f"{name} {results.count(wanted)}" for name, wanted in filters.items()) + "."


def _table8(results: _Results) -> StudyTable:
    filters = {name: _in_system(system) for name, system in SYSTEMS.items()}
    measures = [*TOP.values(), _reciprocal, _precision]
    sections = tuple(
        Section(name, results.rows([(measure, wanted) for measure in measures])) for name, wanted in filters.items()
    )
    return StudyTable(
        8,
        "Deep-learning systems (DLSW) and traditional software (NDLSW)",
        ("Method", *TOP, "MRR", "MAP"),
        sections,
        _counted(results, filters),
    )


def _table14(results: _Results) -> StudyTable:
    def of_class(name: str) -> Filter:
        return lambda subject: subject.project_class == name and subject.system == DEEP_LEARNING

    filters = {name: of_class(name) for name in CLASSES}
    sections = tuple(
        Section(name, results.rows([(_reciprocal, wanted), (_precision, wanted)])) for name, wanted in filters.items()
    )
    return StudyTable(14, "Classes of projects", ("Method", "MRR", "MAP"), sections, _counted(results, filters))


def _table22(results: _Results) -> StudyTable:
    def of_type(value: str) -> Filter:
        return lambda subject: subject.bug_type == value and subject.system == DEEP_LEARNING

    filters = {name: of_type(value) for name, value in TYPES.items()}
    sections = tuple(
        Section(name, results.rows([(measure, wanted) for wanted in filters.values()]))
        for name, measure in (("MAP", _precision), ("MRR", _reciprocal))
    )
    return StudyTable(22, "Types of deep-learning bugs", ("Method", *TYPES), sections, _counted(results, filters))


def _table28(results: _Results) -> StudyTable:
    def wanted(subject: RankedReport) -> bool:
        return subject.bug_type == NOT_DEEP_LEARNING and subject.system == DEEP_LEARNING

    sections = (Section("", results.rows([(_precision, wanted), (_reciprocal, wanted)])),)
    title = "Bugs of deep-learning systems unrelated to deep learning"
    return StudyTable(28, title, ("Method", "MAP", "MRR"), sections, _counted(results, {"NDL": wanted}))


def _table30(results: _Results) -> StudyTable:
    def of_origin(system: str, origin: str) -> Filter:
        return lambda subject: subject.system == system and subject.origin == origin

    filters = {
        f"{name}+{short}": of_origin(system, origin)
        for name, system in SYSTEMS.items()
        for short, origin in (("EXT", EXTRINSIC), ("INT", INTRINSIC))
    }
    sections = tuple(
        Section(name, results.rows([(measure, wanted) for wanted in filters.values()]))
        for name, measure in (("MAP", _precision), ("MRR", _reciprocal))
    )
    return StudyTable(30, "Extrinsic and intrinsic bugs", ("Method", *filters), sections, _counted(results, filters))
