"""Localization methods on reports with known truth: rankings made or read, scored, compared, laid out as tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.failure_text import in_one_line
from bugloss.core.foreign_file import read_text
from bugloss.core.named_file import LARGEST_DATA
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import find
from bugloss.evaluate.bugl import import_bugl, is_bugl
from bugloss.evaluate.labels import labelled, read_labels
from bugloss.evaluate.localization import LocalizationEvaluation, evaluate
from bugloss.evaluate.predictions import Prediction, by_method, read_predictions, write_predictions
from bugloss.evaluate.study_tables import StudyTable, study_tables
from bugloss.evaluate.subjects import INSIDE, RankedReport, import_denchmark, read_subjects
from bugloss.localize.contract import Technique
from bugloss.localize.index.file_corpus import FileSelection
from bugloss.workflows.localization import facts_folder
from bugloss.workflows.localization_trial import LocalizationCase, open_cases, predict, predict_functions, store_below

DENCHMARK = ("bugs_dev.jsonl.gz", "histories_dev.csv")


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """What to evaluate, on what."""

    data: tuple[Path, ...]
    repositories: Path | None = None
    methods: tuple[str, ...] = ("bugloss",)
    predictions: tuple[Path, ...] = ()
    tests: bool = False
    limit: int = 0
    labels: tuple[Path, ...] = ()
    functions: bool = False


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """The scores, and the rankings that they come from; those of functions where they were asked for."""

    evaluation: LocalizationEvaluation
    predictions: tuple[Prediction, ...]
    left_out: tuple[str, ...]
    tables: tuple[StudyTable, ...] = ()
    functions: LocalizationEvaluation | None = None
    function_predictions: tuple[Prediction, ...] = ()
    tests: bool = False


def evaluate_localization(
    trial: EvaluationRequest, notify: Callable[[str], None] = lambda text: None
) -> EvaluationResult:
    """Ranks every report by every method, adds rankings of other tools, and scores all of them in the same way."""
    run = _Run([find(PluginGroup.TECHNIQUE, Technique, name) for name in trial.methods], trial.functions)
    given = labelled(_subjects(trial), [read_labels(path) for path in trial.labels])
    chosen = {subject.id for subject in given[: trial.limit or None]}
    folder = facts_folder()
    selection, store = FileSelection(tests=trial.tests), store_below(folder / "projects" if folder else None)
    for case in open_cases(given, store, selection, run.left_out.append, lambda subject: subject.id in chosen):
        notify(f"{len(run.used) + 1}/{len(chosen)} {case.subject.id}")
        try:
            run.add(case)
        except Exception as error:  # of a technique, which may come from anywhere
            run.left_out.append(f"{case.subject.id}: a method failed: {in_one_line(error)}.")
    if not run.used:
        reason = run.left_out[0] if run.left_out else "No file of the fix exists in its commit."
        raise InvalidInput("no report could be evaluated.", hint=reason)
    read = [prediction for path in trial.predictions for prediction in read_predictions(path)]
    return run.outcome(read, tests=trial.tests)


@dataclass(slots=True)
class _Run:
    """What is gathered while going through the reports."""

    techniques: Sequence[Technique]
    with_functions: bool
    used: list[RankedReport] = field(default_factory=list)
    made: list[Prediction] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    inside: list[RankedReport] = field(default_factory=list)  # subjects with a true function
    made_inside: list[Prediction] = field(default_factory=list)

    def add(self, case: LocalizationCase) -> None:
        """Asks every method; where one fails, the report is not counted for any."""
        made = [predict(case, method) for method in self.techniques]
        truth = case.true_functions if self.with_functions else ()
        made_inside = [predict_functions(case, method) for method in self.techniques] if truth else []
        self.used.append(case.subject)
        self.made += made
        if truth:
            self.inside.append(replace(case.subject, truth=truth))
            self.made_inside += made_inside

    def outcome(self, read: Sequence[Prediction], *, tests: bool) -> EvaluationResult:
        """The scores; a ranking that was read is one of functions where its entries say so."""
        of_functions = [one for one in read if any(INSIDE in entry for entry in one.ranking)]
        rankings = by_method([*self.made, *(one for one in read if one not in of_functions)])
        inside = by_method([*self.made_inside, *of_functions])
        return EvaluationResult(
            evaluate(self.used, rankings),
            tuple(self.made),
            tuple(self.left_out),
            study_tables(self.used, rankings),
            evaluate(self.inside, inside) if self.inside else None,
            tuple(self.made_inside),
            tests,
        )


def _subjects(trial: EvaluationRequest) -> tuple[RankedReport, ...]:
    return tuple(subject for data in trial.data for subject in _read(data, trial.repositories))


def _read(data: Path, repositories: Path | None) -> Sequence[RankedReport]:
    """Subjects from JSON lines, or from a folder of Denchmark's or BuGL's with repositories beside it."""
    if not data.is_dir():
        return read_subjects(data)
    reports, histories = (data / name for name in DENCHMARK)
    if repositories is not None and reports.is_file() and histories.is_file():
        names = {row["project"]: row["repository"] for row in _rows(histories)}
        found = {project: git_folder(repositories, name) for project, name in names.items()}
        there = {project: folder for project, folder in found.items() if folder is not None}
        classes = data / "projects_dev.csv"
        kinds = {row["project"]: row["type"] for row in _rows(classes)} if classes.is_file() else {}
        return import_denchmark(reports, there, kinds)
    if repositories is not None and is_bugl(data):
        return import_bugl(data, lambda project: git_folder(repositories, project))
    needed = f"{' and '.join(DENCHMARK)}, or BuGL's JSON files"
    hint = f"A folder must contain {needed}, and --repositories names the folder of histories."
    raise InvalidInput(f"{data} is not a data set that bugloss can read.", hint=hint)


def _rows(table: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(read_text(table.parent, table.name, LARGEST_DATA))))


def git_folder(folder: Path, name: str) -> Path | None:
    """The git folder of a project below a folder of histories: ``owner+name``, or its only child."""
    if name in {"", ".", ".."}:
        return None
    base = folder / name.replace("/", "+")
    places = (base, base / ".git", base / "repo", base / "repo" / ".git")
    return next((place for place in places if (place / "HEAD").is_file()), None)


def write_outcome(folder: Path, outcome: EvaluationResult) -> None:
    """Keeps the rankings, so that the scores can be computed again without asking any method."""
    folder.mkdir(parents=True, exist_ok=True)
    write_predictions(folder / "predictions.jsonl", outcome.predictions)
    if outcome.function_predictions:
        write_predictions(folder / "functions.jsonl", outcome.function_predictions)


def document(outcome: EvaluationResult) -> dict[str, object]:
    """The document ``bugloss.evaluation/1``."""
    evaluation = outcome.evaluation
    return {
        "task": "localize",
        "reports": evaluation.reports,
        "methods": evaluation.methods,
        "pairs": evaluation.pairs,
        "truth": "tests count" if outcome.tests else "tests do not count",
        "functions": outcome.functions,
        "tables": outcome.tables,
        "left_out": outcome.left_out,
    }
