"""Localization methods on reports with known truth: rankings made or read, scored, compared, laid out as tables."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import CacheUnusable, InvalidInput
from bugloss.evaluate.localization import Evaluation, evaluate
from bugloss.evaluate.predictions import Prediction, by_method, read_predictions, write_predictions
from bugloss.evaluate.subjects import Subject, import_denchmark, read_subjects
from bugloss.localize.corpus import Selection
from bugloss.localize.techniques.table import technique
from bugloss.run.cache import cache_folder
from bugloss.workflows.localization_trial import open_cases, predict, store_below

DENCHMARK = ("bugs_dev.jsonl.gz", "histories_dev.csv")


@dataclass(frozen=True, slots=True)
class Trial:
    """What to evaluate, on what."""

    data: Path
    repositories: Path | None = None
    methods: tuple[str, ...] = ("bugloss",)
    predictions: tuple[Path, ...] = ()
    tests: bool = False
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The scores, and the rankings that they come from."""

    evaluation: Evaluation
    predictions: tuple[Prediction, ...]
    left_out: tuple[str, ...]


def evaluate_localization(trial: Trial, notify: Callable[[str], None] = lambda text: None) -> Outcome:
    """Ranks every report by every method, adds rankings of other tools, and scores all of them alike."""
    given = _subjects(trial)
    techniques = [technique(name) for name in trial.methods]
    made: list[Prediction] = []
    used: list[Subject] = []
    left_out: list[str] = []
    chosen = {subject.id for subject in given[: trial.limit or None]}
    selection, store = Selection(tests=trial.tests), store_below(_folder())
    for case in open_cases(given, store, selection, left_out.append, lambda subject: subject.id in chosen):
        notify(f"{len(used) + 1}/{len(chosen)} {case.subject.id}")
        used.append(case.subject)
        made += [predict(case, method) for method in techniques]
    if not used:
        raise InvalidInput(
            "no report could be evaluated.", hint=left_out[0] if left_out else "No true file exists in its commit."
        )
    read = [prediction for path in trial.predictions for prediction in read_predictions(path)]
    return Outcome(evaluate(used, by_method([*made, *read])), tuple(made), tuple(left_out))


def _folder() -> Path | None:
    try:
        return cache_folder() / "localize" / "projects"
    except CacheUnusable:
        return None


def _subjects(trial: Trial) -> Sequence[Subject]:
    """Subjects from JSON lines, or from a folder of Denchmark's with repositories beside it."""
    if trial.data.is_dir():
        reports, histories = (trial.data / name for name in DENCHMARK)
        if not reports.is_file() or not histories.is_file() or trial.repositories is None:
            hint = f"A folder must hold {' and '.join(DENCHMARK)}, and --repositories names the folder of histories."
            raise InvalidInput(f"{trial.data} is no data set that can be read.", hint=hint)
        return import_denchmark(reports, _histories(histories, trial.repositories))
    return read_subjects(trial.data)


def _histories(table: Path, folder: Path) -> Mapping[str, Path]:
    """The git folder of each project: ``owner+name``, or what lies in it."""
    found = {}
    with table.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            base = folder / row["repository"].replace("/", "+")
            places = (base, base / ".git", base / "repo", base / "repo" / ".git")
            git = next((place for place in places if (place / "HEAD").is_file()), None)
            if git is not None:
                found[row["project"]] = git
    return found


def write_outcome(folder: Path, outcome: Outcome) -> None:
    """Keeps the rankings, so that the scores can be computed again without asking any method."""
    folder.mkdir(parents=True, exist_ok=True)
    write_predictions(folder / "predictions.jsonl", outcome.predictions)


def document(outcome: Outcome) -> dict[str, object]:
    """The document ``bugloss.evaluation/1``."""
    evaluation = outcome.evaluation
    return {
        "task": "localize",
        "reports": evaluation.reports,
        "methods": evaluation.methods,
        "pairs": evaluation.pairs,
        "left_out": outcome.left_out,
    }
