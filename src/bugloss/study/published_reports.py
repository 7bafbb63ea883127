"""Reports of the localization study: who labelled them how, and how well published techniques located their bugs.

Jahan, Shah, Rahman: Towards Understanding the Challenges of Bug Localization in Deep Learning Systems (2025). Only the
part of the data that bugloss uses for development is shipped.
"""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bugloss.study.tables_file import DATA, Row, read_number, read_own_rows, read_rows

DEEP_LEARNING, TRADITIONAL = "deep learning", "traditional"


class LabelledReport(NamedTuple):
    """What two people said of a report; an empty text where one said nothing."""

    system: str
    project: str
    report: str
    deep_learning: tuple[str, str]
    type: tuple[str, str]
    extrinsic: tuple[str, str]

    @property
    def key(self) -> tuple[str, str, str]:
        return self.system, self.project, self.report


class LocatedReport(NamedTuple):
    """How well a technique located the bug of a report."""

    system: str
    project: str
    report: str
    technique: str
    reciprocal_rank: float
    average_precision: float

    @property
    def key(self) -> tuple[str, str, str]:
        return self.system, self.project, self.report


@cache
def labelled_reports() -> tuple[LabelledReport, ...]:
    """225 reports of deep-learning systems and 223 of traditional software."""
    return tuple(_labelled(row) for row in read_rows((DATA / "labels.csv").read_text(encoding="utf-8")))


@cache
def located_reports() -> tuple[LocatedReport, ...]:
    """Three published techniques on 769 and 228 reports."""
    path = DATA / "localization.csv.gz"
    return tuple(_located(path, row) for row in read_rows(gzip.decompress(path.read_bytes()).decode()))


def read_located(path: Path) -> tuple[LocatedReport, ...]:
    """Somebody's own results, with the columns of ours."""
    return tuple(_located(path, row) for row in read_own_rows(path, LocatedReport._fields))


def _labelled(row: Row) -> LabelledReport:
    pairs = [(row[f"{name}_1"], row[f"{name}_2"]) for name in ("deep_learning", "type", "extrinsic")]
    return LabelledReport(row["system"], row["project"], row["report"], *pairs)


def _located(path: Path, row: Row) -> LocatedReport:
    numbers = [read_number(path, row, name) for name in ("reciprocal_rank", "average_precision")]
    return LocatedReport(row["system"], row["project"], row["report"], row["technique"], *numbers)
