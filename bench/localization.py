"""How well and how fast files are found: every report of the development projects, each project left out in turn.

The reports and histories are not part of bugloss: ``BUGLOSS_LOCALIZATION_DATA`` names the folder of reports,
``BUGLOSS_REPOSITORIES`` that of bare repositories as ``owner+name``, ``BUGLOSS_LOCALIZATION_CACHE`` one for what is
worked out on the way. Needs the extra ``ranking``, and ``torch`` for bjxnet. Without these only the speed is measured,
on a made-up repository. ``BUGLOSS_LOCALIZATION_LABELS`` may name tables of types and origins, for the study's tables.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.measurement import ROOT
from bench.picture import picture
from bugloss.core.garbage import pause_garbage_collection
from bugloss.core.report import Report
from bugloss.evaluate.labels import labelled, read_labels
from bugloss.evaluate.localization import LocalizationEvaluation, evaluate
from bugloss.evaluate.predictions import Prediction, by_method
from bugloss.evaluate.subjects import RankedReport
from bugloss.intake.reading import take_apart
from bugloss.localize.answer.ranking import rank
from bugloss.localize.contract import Question
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.index.file_corpus import FileSelection, open_corpus
from bugloss.localize.question.query import read_query
from bugloss.localize.ranker.forest import read_forest
from bugloss.localize.ranker.ranker import Bugloss
from bugloss.localize.repository.objects import Repository
from bugloss.workflows.localization_trial import open_cases, predict_functions, store_below

DATA, REPOSITORIES, CACHE = "BUGLOSS_LOCALIZATION_DATA", "BUGLOSS_REPOSITORIES", "BUGLOSS_LOCALIZATION_CACHE"
LABELS = "BUGLOSS_LOCALIZATION_LABELS"
FOLDS = 16  # groups of projects, each ranked by a model that saw none of them
SIZES = (250, 500, 1_000, 2_000, 4_000, 10_000)
LATER = 15  # queries, the quickest of which counts: the machine has other guests
REPORT = Report(
    "Loader7 drops the last batch when batch_size is odd",
    "Calling `load_batch_7` with an odd `batch_size` loses rows. See pkg/part_0/module_7.py.\n\n"
    "```\nTraceback (most recent call last):\n"
    '  File "pkg/part_0/module_7.py", line 12, in load_batch_7\nIndexError: list index out of range\n```\n',
)


def measure() -> dict[str, Any]:
    result = {**_accuracy(), "speed": _speed()}
    if not isinstance(result["accuracy"], str):  # a partial result is not kept, and so is not drawn
        try:
            _draw(result["speed"])
        except ImportError:
            print("   the picture stays as it is: matplotlib is missing")
    return result


def _draw(speed: Sequence[Mapping[str, float]]) -> None:
    """How CPU time and memory grow with the files of a repository."""
    files = [one["files"] for one in speed]
    with picture("localize-speed", 3, (10, 3)) as panels:
        for axes, label, values in zip(
            panels,
            ("first query, seconds", "later query, milliseconds", "memory, MB"),
            (
                [one["cold_ms_per_file"] * one["files"] / 1000 for one in speed],
                [one["warm_ms"] for one in speed],
                [one["peak_mb"] for one in speed],
            ),
            strict=True,
        ):
            axes.plot(files, values, marker="o")
            axes.set(xlabel="files", title=label, xlim=(0, None), ylim=(0, None))


def _accuracy() -> dict[str, Any]:
    named = [os.environ.get(name) for name in (DATA, REPOSITORIES, CACHE)]
    if not all(named):
        print(f"   accuracy not measured: {DATA}, {REPOSITORIES} and {CACHE} must name folders")
        return {"accuracy": f"not run: {DATA}, {REPOSITORIES} and {CACHE} are not set"}
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from localizing.learning import leave_projects_out
    except ImportError as error:
        print(f"   accuracy not measured: {error.name} is missing (pip install 'bugloss[ranking]')")
        return {"accuracy": f"not run: {error.name} is missing"}
    from localizing.material import Material, subjects

    from bugloss.core.codec import encode
    from bugloss.evaluate.study_tables import study_tables

    data, repositories, cache = (Path(str(folder)) for folder in named)
    given = subjects(data, repositories)
    material = Material.read(data, repositories, cache)
    own = leave_projects_out(material.rows, material.further, FOLDS)
    rankings = by_method([*own.predictions, *material.published, *_neural(given, cache)])
    asked = _labelled([row.subject for row in material.rows], data)
    found = evaluate(asked, rankings)
    for method in found.methods:
        print(f"   {method.method:<11} {_line(encode(method.overall))}")
    functions = _functions(own, given, cache)
    print(f"   functions   {_line(encode(functions.methods[0].overall))}")
    return {
        "accuracy": encode(found),
        "functions": encode(functions),
        "study_tables": encode(study_tables(asked, rankings)),
    }


def _functions(own: Any, given: Sequence[RankedReport], cache: Path) -> LocalizationEvaluation:
    """Of our ranker alone, each project's by a model that did not see it; ``own`` is what leaving projects out gave."""
    from localizing.learning import dump

    inside: list[RankedReport] = []
    made: list[Prediction] = []
    for projects, ranker in own.rankers:
        technique = Bugloss(read_forest(dump(ranker, own)))
        members = [subject for subject in given if subject.project in projects]
        for case in open_cases(members, store_below(cache / "facts")):
            if truth := case.true_functions:
                inside.append(replace(case.subject, truth=truth))
                made.append(predict_functions(case, technique))
    return evaluate(inside, by_method(made))


def _labelled(subjects: Sequence[RankedReport], data: Path) -> tuple[RankedReport, ...]:
    """With the class of each project, and with types and origins where a table of them is named."""
    with (data / "projects_dev.csv").open(encoding="utf-8", newline="") as file:
        classes = {row["project"]: row["type"] for row in csv.DictReader(file)}
    tables = [read_labels(Path(path)) for path in os.environ.get(LABELS, "").split(os.pathsep) if path]
    return labelled([replace(one, project_class=classes.get(one.project, "")) for one in subjects], tables)


def _neural(given: Sequence[RankedReport], cache: Path) -> list[Prediction]:
    """Of dnnloc and bjxnet; the second is learned with PyTorch, and left out where that is missing."""
    from localizing.neural import TECHNIQUES, predictions

    found: list[Prediction] = []
    for name in TECHNIQUES:
        try:
            found += predictions(name, given, cache)
        except ImportError as error:
            print(f"   {name} not measured: {error.name} is missing (pip install 'bugloss[torch]')")
    return found


def _line(scores: Mapping[str, Any]) -> str:
    names = {
        "mean_average_precision": "MAP",
        "mean_reciprocal_rank": "MRR",
        "top1": "Top@1",
        "top5": "Top@5",
        "top10": "Top@10",
    }
    return "  ".join(f"{short} {scores[name]['value']:.3f}" for name, short in names.items())


def _speed() -> list[dict[str, float]]:
    """Each size in a process of its own, so that memory can be told apart."""
    results = []
    for size in SIZES:
        code = f"from bench.localization import time_one; time_one({size})"
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        files, cold, warm, memory = map(float, done.stdout.split())
        results.append({"files": files, "cold_ms_per_file": cold, "warm_ms": warm, "peak_mb": memory})
        print(f"   {size:>6} files: cold {cold:.2f} ms a file, warm {warm:.0f} ms, {memory:.0f} MB", flush=True)
    return results


def time_one(size: int) -> None:
    """CPU milliseconds of a first and of a later query, and the most memory that was held."""
    with tempfile.TemporaryDirectory() as folder:
        repository = _made_up(Path(folder) / "repository", size)
        first = _query(repository, Path(folder) / "cache")
        later = min(_query(repository, Path(folder) / "cache") for _ in range(LATER))
    print(size, round(first * 1000 / size, 3), round(later * 1000, 1), round(_peak()))


def _peak() -> float:
    """The most memory of this process in megabytes; what the system calls its maximum counts the parent's too."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


def _query(repository: Repository, cache: Path) -> float:
    """As ``localize`` asks, without triage and without what starts and ends a process."""
    start = time.process_time()
    with pause_garbage_collection():
        corpus = open_corpus(repository, repository.resolve("HEAD"), FactStore.open(cache), FileSelection())
        rank(corpus, Question(read_query(take_apart(REPORT))), Bugloss(), 10)
        return time.process_time() - start


def _made_up(folder: Path, size: int) -> Repository:
    """Modules of about two hundred lines, put together from the sources of bugloss itself."""
    sources = [
        path.read_text() for path in sorted((ROOT / "src" / "bugloss").rglob("*.py")) if path.stat().st_size > 3_000
    ]
    for number in range(size):
        path = folder / "pkg" / f"part_{number // 50}" / f"module_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        own = f"class Loader{number}:\n    def load_batch_{number}(self, batch_size):\n        return batch_size\n"
        path.write_text(own + sources[number % len(sources)].replace("def _", f"def _{number}_"))
    _git(folder, "init", "-q")
    _git(folder, "add", "-A")
    _git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "all")
    return Repository(folder)


def _git(folder: Path, *arguments: str) -> Sequence[str]:
    command = ["git", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return command
