"""What people said about reports: type and origin, from tables as the localization study published them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.named_file import read_named_text
from bugloss.evaluate.subjects import RankedReport

_TYPES = {
    "model": "model",
    "training": "training",
    "tensor & input": "tensor",
    "tensor": "tensor",
    "api": "api",
    "gpu": "gpu",
}
NOT_DEEP_LEARNING = "non-dl"
EXTRINSIC, INTRINSIC = "extrinsic", "intrinsic"


@dataclass(frozen=True, slots=True)
class ReportLabel:
    """A report's type and origin; empty where it is not labelled."""

    bug_type: str = ""
    origin: str = ""


Labels = Mapping[tuple[str, str], ReportLabel]  # project and number of the report


def read_labels(path: Path) -> Labels:
    """The labels of a CSV file.

    It has ``project`` and ``bug_id`` (or ``issue_id``), and of ``is_dl``, ``dl_type`` and ``extrinsic`` what there is;
    a column may end in ``_a1``, the annotator whose word counts.
    """
    try:
        return {_key(row): _label(row) for row in csv.DictReader(io.StringIO(read_named_text(path)))}
    except csv.Error as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    except KeyError as error:
        raise InvalidInput(f"{path} has no column {error}.", hint="Needed: project and bug_id or issue_id.") from None


def _key(row: Mapping[str, str]) -> tuple[str, str]:
    number = row["bug_id"] if "bug_id" in row else row["issue_id"]
    return _plain(row["project"]), number.strip()


def _plain(project: str) -> str:
    """Without the owner, whom BuGL's table leaves out, and in one spelling."""
    return project.rsplit("+", 1)[-1].rsplit("/", 1)[-1].lower().replace("-", "_")


def _label(row: Mapping[str, str]) -> ReportLabel:
    def said(column: str) -> str:
        return (row.get(column) or row.get(f"{column}_a1") or "").strip().lower()

    kind = NOT_DEEP_LEARNING if said("is_dl") == "no" else _TYPES.get(said("dl_type"), "")
    origin = {"yes": EXTRINSIC, "no": INTRINSIC}.get(said("extrinsic"), "")
    return ReportLabel(kind, origin)


def labelled(subjects: Iterable[RankedReport], tables: Sequence[Labels]) -> tuple[RankedReport, ...]:
    """Subjects with what the tables say of them; what a subject says itself stays where they say nothing."""
    return tuple(_with_label(subject, tables) for subject in subjects)


def _with_label(subject: RankedReport, tables: Sequence[Labels]) -> RankedReport:
    key = (_plain(subject.project), subject.id.rsplit("#", 1)[-1])
    for table in tables:
        if (label := table.get(key)) is not None:
            return replace(subject, bug_type=label.bug_type or subject.bug_type, origin=label.origin or subject.origin)
    return subject
