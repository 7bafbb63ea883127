"""The reports: questions of ``so_bug_types``, issues of ``localization_labels`` with texts, and further issues."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.report import Report, ReportSource
from triaging.held_back import Repeats, is_open

QUESTIONS = Path("so_bug_types") / "so_600_dev.jsonl.gz"
ISSUE_LABELS = Path("localization_labels") / "denchmark_385_dev.csv"
OWN_LABELS = Path(__file__).parent / "own_labels.csv"
ISSUES = Path("denchmark") / "bugs_dev.jsonl.gz"
_TITLE = re.compile(r"^.{15,200}?(?:\?\.|[.?!](?=\s|[A-Z])|$)")
_MARKS = re.compile(r"</?denchmark-(?!code)[^>]{0,300}>")
_TYPES = {"Training": "training", "API": "api", "Model": "model", "Tensor & Input": "tensor", "GPU": "gpu"}


@dataclass(frozen=True, slots=True)
class Row:
    """A report with what people say of it; ``origin`` is empty where nobody said."""

    report: Report
    label: str
    origin: str
    project: str


@dataclass(frozen=True, slots=True)
class Others:
    """Issues without labels of the study: those that we labelled, the rest, and how many were left out and why."""

    own: tuple[Row, ...]
    rest: tuple[Row, ...]
    maybe_held_back: int
    repeats: int


def read_questions(folder: Path) -> list[Row]:
    """Stack Overflow questions with their type; their texts have lost title and line breaks."""
    with gzip.open(folder / QUESTIONS, "rt", encoding="utf-8") as stream:
        return [_question(json.loads(line)) for line in stream]


def _question(data: dict[str, object]) -> Row:
    text, tags = str(data["text"]), data["tags"]
    match = _TITLE.match(text)
    title = match[0] if match else text[:150]
    label = "non-dl" if data["label"] == "others" else str(data["label"])
    named = tuple(str(tag) for tag in tags) if isinstance(tags, list) else ()
    report = Report(title, text[len(title) :].strip(), named, source=ReportSource.STACK_OVERFLOW)
    return Row(report, label, "", "")


def read_issues(folder: Path) -> list[Row]:
    """GitHub issues with type and origin, as the paper's own annotator gave them."""
    texts = {(str(bug["project"]), str(bug["bug_id"])): _issue(bug) for bug in _bugs(folder)}
    return [
        Row(
            texts.get(key) or issue_report(row["title"], ""),
            _TYPES.get(row["dl_type_a1"], "non-dl"),
            "extrinsic" if row["extrinsic_a1"] == "Yes" else "intrinsic",
            key[0],
        )
        for key, row in _keys(folder / ISSUE_LABELS).items()
    ]


def issue_report(title: str, description: str) -> Report:
    """An issue of Denchmark, without the marks that its authors put in."""
    return Report(title, _MARKS.sub(" ", description), source=ReportSource.GITHUB)


def _bugs(folder: Path) -> Iterator[dict[str, object]]:
    with gzip.open(folder / ISSUES, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def read_others(folder: Path) -> Others:
    """The issues of the same projects without labels of the study, as far as nobody may be judged by them."""
    labelled, ours = _keys(folder / ISSUE_LABELS), _keys(OWN_LABELS)
    own, rest, closed, known = [], [], 0, []
    for bug in _bugs(folder):
        key, report = (str(bug["project"]), str(bug["bug_id"])), _issue(bug)
        if key in labelled or not is_open(*key):
            known.append(report.text)
            closed += key not in labelled
        elif key in ours:
            own.append(Row(report, ours[key]["type"], ours[key]["origin"], key[0]))
        else:
            rest.append(Row(report, "", "", key[0]))
    repeats = Repeats(known)
    return Others(
        tuple(row for row in own if not repeats.has(row.report.text)),
        tuple(row for row in rest if not repeats.has(row.report.text)),
        closed,
        sum(repeats.has(row.report.text) for row in (*own, *rest)),
    )


def _keys(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return {(row["project"], row["bug_id"]): row for row in csv.DictReader(stream)}


def _issue(bug: Mapping[str, object]) -> Report:
    return issue_report(str(bug["title"]), str(bug["description"] or ""))
