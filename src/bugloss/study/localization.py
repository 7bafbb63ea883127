"""The localization study's questions, asked of its own data: which systems, types and origins are hard to localize.

Jahan, Shah, Rahman: Towards Understanding the Challenges of Bug Localization in Deep Learning Systems, 2025. The same
tables with our own rankings are in ``bugloss evaluate localize --tables``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from bugloss.study import printed_localization as printed
from bugloss.study.published_reports import DEEP_LEARNING, TRADITIONAL, LabelledReport, LocatedReport
from bugloss.study.result import Cell, StudiedTable, StudyResult
from bugloss.study.significance import compare_counts, compare_means

SOURCE = (
    'Jahan, Shah, Rahman: "Towards Understanding the Challenges of Bug Localization in Deep Learning Systems", 2025'
)
SYSTEMS = (DEEP_LEARNING, TRADITIONAL)
MEASURES = ("MRR", "MAP")
_ORIGINS = {"yes": "extrinsic", "no": "intrinsic"}
_REMARKS = (
    "The published results of DNNLOC and bjXnet are not measured report by report and are left out.",
    "The paper draws samples of 100 reports; here every report counts that has the label.",
)


@dataclass(frozen=True, slots=True)
class _Reports:
    """Located reports with the first labels of each, where somebody labelled it."""

    located: Sequence[LocatedReport]
    labels: dict[tuple[str, str, str], LabelledReport]

    @property
    def techniques(self) -> list[str]:
        """Those of the paper first."""
        found = {each.technique for each in self.located}
        return [*(name for name in printed.TECHNIQUES if name in found), *sorted(found - set(printed.TECHNIQUES))]

    def scores(self, technique: str, system: str, *, kind: str = "", origin: str = "") -> list[tuple[float, float]]:
        """Reciprocal rank and average precision of every report that is meant."""
        return [
            (each.reciprocal_rank, each.average_precision)
            for each in self.located
            if (each.technique, each.system) == (technique, system) and self._has(each, kind, origin)
        ]

    def _has(self, report: LocatedReport, kind: str, origin: str) -> bool:
        if not kind and not origin:
            return True
        label = self.labels.get(report.key)
        return label is not None and kind in {"", label.type[0]} and origin in {"", label.extrinsic[0]}


def study_localization(
    located: Sequence[LocatedReport], labels: Sequence[LabelledReport], *, published: bool = True
) -> StudyResult:
    """Every table; what the paper prints stands beside its own data only."""
    reports = _Reports(located, {label.key: label for label in labels})
    tables = (
        StudiedTable(
            "systems",
            "Deep-learning systems and traditional software (Tables 8 and 9)",
            ("technique", "measure", *_with_paper(*SYSTEMS, "p", "Cohen's d")),
            tuple(_system_rows(reports, published)),
        ),
        StudiedTable(
            "types",
            "MAP by type of bug (Table 22)",
            ("technique", "type", "reports", "MAP", "MAP, paper"),
            tuple(_type_rows(reports, published)),
        ),
        StudiedTable(
            "origins",
            "MAP of extrinsic and intrinsic bugs (Table 30)",
            ("technique", "system", *_with_paper("extrinsic", "intrinsic"), "p", "Cohen's d"),
            tuple(_origin_rows(reports, published)),
        ),
        _prevalence(labels),
        _association(labels),
    )
    return StudyResult("localization", SOURCE, tuple(table for table in tables if table.rows), _REMARKS)


def _with_paper(*names: str) -> Iterator[str]:
    for name in names:
        yield name
        yield f"{name}, paper"


def _mean(scores: Sequence[tuple[float, float]], measure: int) -> float | None:
    return round(fmean(score[measure] for score in scores), 4) if scores else None


def _system_rows(reports: _Reports, published: bool) -> Iterator[tuple[Cell, ...]]:
    for name in reports.techniques:
        deep, traditional = (reports.scores(name, system) for system in SYSTEMS)
        for at, measure in enumerate(MEASURES):
            test = compare_means([score[at] for score in traditional], [score[at] for score in deep])
            means: list[Cell] = []
            for system, scores in zip(SYSTEMS, (deep, traditional), strict=True):
                means += [_mean(scores, at), printed.TABLE_8[name, system][at] if published else None]
            p, effect = printed.TABLE_9[name][at] if published else (None, None)
            yield (_title(name), measure, *means, test.p, p, test.effect, effect)


def _type_rows(reports: _Reports, published: bool) -> Iterator[tuple[Cell, ...]]:
    for name in reports.techniques:
        for kind, title in printed.TYPES.items():
            scores = reports.scores(name, DEEP_LEARNING, kind=kind)
            paper = printed.TABLE_22_MAP[name, kind] if published else None
            if scores:
                yield (_title(name), title, len(scores), _mean(scores, 1), paper)


def _origin_rows(reports: _Reports, published: bool) -> Iterator[tuple[Cell, ...]]:
    for name in reports.techniques:
        for system in SYSTEMS:
            outer, inner = (reports.scores(name, system, origin=origin) for origin in _ORIGINS)
            if not (outer and inner):
                continue
            test = compare_means([score[1] for score in inner], [score[1] for score in outer])
            paper = printed.TABLE_30_MAP[name, system] if published else (None, None)
            yield (_title(name), system, _mean(outer, 1), paper[0], _mean(inner, 1), paper[1], test.p, test.effect)


def _title(technique: str) -> str:
    return printed.TECHNIQUES.get(technique, technique)


def _prevalence(labels: Sequence[LabelledReport]) -> StudiedTable:
    """Extrinsic bugs among those of each type, by the first labelling."""
    rows: list[tuple[Cell, ...]] = []
    for kind, title in {"": "not deep learning", **printed.TYPES}.items():
        origins = [label.extrinsic[0] for label in labels if label.system == DEEP_LEARNING and label.type[0] == kind]
        if origins:
            share = round(origins.count("yes") / len(origins), 4)
            rows.append((title, len(origins), origins.count("yes"), share, printed.TABLE_29[kind]))
    columns = ("type", "reports", "extrinsic", "share", "paper")
    title = "Extrinsic bugs by type (Table 29)"
    return StudiedTable("extrinsic-by-type", title, columns, tuple(rows), drawn=("share", "paper"))


def _association(labels: Sequence[LabelledReport]) -> StudiedTable:
    counts = {
        system: [sum(label.extrinsic[0] == origin for label in labels if label.system == system) for origin in _ORIGINS]
        for system in SYSTEMS
    }
    test = compare_counts([*counts.values()])
    rows: list[tuple[Cell, ...]] = [
        (system, *both, round(both[0] / sum(both), 4), printed.EXTRINSIC_SHARE[system])
        for system, both in counts.items()
        if sum(both)
    ]
    found = f"chi-square {test.statistic:.1f}, p = {test.p:.2g}, Cramér's V {test.effect:.2f}"
    remark = f"Is the origin independent of the system? {found} (paper: p = {printed.EXTRINSIC_P:.3g})."
    columns = ("system", *_ORIGINS.values(), "share extrinsic", "paper")
    return StudiedTable("extrinsic-by-system", "Extrinsic bugs by system (Figure 10)", columns, tuple(rows), (remark,))
