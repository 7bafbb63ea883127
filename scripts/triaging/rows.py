"""The labelled reports: questions of ``so_bug_types``, issues of ``localization_labels`` with their texts."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.report import Report, ReportSource

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
    texts = {(bug["project"], str(bug["bug_id"])): bug["description"] for bug in _bugs(folder)}
    with (folder / ISSUE_LABELS).open(encoding="utf-8", newline="") as stream:
        return [
            Row(
                issue_report(row["title"], str(texts.get((row["project"], row["bug_id"])) or "")),
                _TYPES.get(row["dl_type_a1"], "non-dl"),
                "extrinsic" if row["extrinsic_a1"] == "Yes" else "intrinsic",
                row["project"],
            )
            for row in csv.DictReader(stream)
        ]


def issue_report(title: str, description: str) -> Report:
    """An issue of Denchmark, without the marks that its authors put in."""
    return Report(title, _MARKS.sub(" ", description), source=ReportSource.GITHUB)


def _bugs(folder: Path) -> Iterator[dict[str, object]]:
    with gzip.open(folder / ISSUES, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def read_others(folder: Path) -> tuple[list[Row], list[Report]]:
    """The issues of the same projects without labels of the study: those that we labelled, and the rest."""
    with (folder / ISSUE_LABELS).open(encoding="utf-8", newline="") as stream:
        labelled = {(row["project"], row["bug_id"]) for row in csv.DictReader(stream)}
    with OWN_LABELS.open(encoding="utf-8", newline="") as stream:
        ours = {(row["project"], row["bug_id"]): row for row in csv.DictReader(stream)}
    own, rest = [], []
    for bug in _bugs(folder):
        key = (str(bug["project"]), str(bug["bug_id"]))
        if key in labelled:
            continue
        report = issue_report(str(bug["title"]), str(bug["description"] or ""))
        if key in ours:
            own.append(Row(report, ours[key]["type"], ours[key]["origin"], key[0]))
        else:
            rest.append(report)
    return own, rest
