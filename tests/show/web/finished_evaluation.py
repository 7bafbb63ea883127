"""An evaluation that is done, as a server keeps it: the static check on two bugs, asked by a job."""

from __future__ import annotations

from bugloss.core.visible import json_text
from bugloss.corpus.collection import load
from bugloss.corpus.roots import shipped_root
from bugloss.evaluate.matrix.cell import EvaluationTask
from bugloss.evaluate.matrix.grading import document
from bugloss.record.store.job import JobOutcome, JobState
from bugloss.record.store.opening import open_store
from bugloss.record.store.result_index import ResultKind
from bugloss.show.api.settings import ServerSettings
from bugloss.show.cli.benchmark import SilentEvaluation
from bugloss.workflows.benchmark.session import BenchRequest, evaluate_tools
from bugloss.workflows.engine.choice import choose_engine

BUGS = ("torch-0001", "torch-0003")


def store_evaluation(settings: ServerSettings) -> str:
    """Puts it into the store of a server that has not started yet; returns the id of the job."""
    store = open_store(settings.database_url)
    store.jobs.submit("evaluate", "detect: check on 2 bugs", {"task": "detect", "bugs": list(BUGS), "tools": ["check"]})
    job = store.jobs.claim("test", 60)
    assert job is not None
    folder = settings.work / "jobs" / job.id / "evaluation"
    corpus = load(shipped_root())
    entries = [corpus[bug] for bug in BUGS]
    asked = BenchRequest(EvaluationTask.DETECT, ("check",), folder)
    graded = evaluate_tools(corpus, entries, asked, choose_engine("local", 1, None), SilentEvaluation())
    result = json_text({"schema": "bugloss.evaluation/1", **document(graded)})
    store.jobs.finish(job, "test", JobOutcome(JobState.DONE, 0, result))
    store.results.add(ResultKind.EVALUATION, job.subject, str(folder.absolute()), job.id)
    store.close()
    return job.id
