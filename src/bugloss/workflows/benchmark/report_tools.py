"""Tools for tasks that begin with a report: reproducing it, ranking its files, repairing its program."""

from __future__ import annotations

from bugloss.core.bug import OracleKind
from bugloss.core.errors import EnvironmentFailure
from bugloss.core.failure.message import blank
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.corpus.unified_diff import bug_files
from bugloss.evaluate.matrix.cell import EvaluationTask, ToolReply
from bugloss.localize.contract import Technique
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.workflows.benchmark.case import DoesNotApply, ProgramCase
from bugloss.workflows.benchmark.scratch_repository import commit_all, lay_out_program
from bugloss.workflows.benchmark.tool import BenchTool
from bugloss.workflows.benchmark.versions import own_version
from bugloss.workflows.bug_trial import isolation_for
from bugloss.workflows.localization import LocalizationRequest, localize_report
from bugloss.workflows.repair_evaluation import TOOLS, RepairEvaluation, repair_row
from bugloss.workflows.reproduced import Reproduction, ReproductionRequest
from bugloss.workflows.reproduction import reproduce_report

_INCOMPLETE = "original.md"  # the report as its reporter wrote it: a part of the program, or none


class ReportReproduction(BenchTool):
    """``bugloss reproduce`` on the report as it was first written."""

    name, title = "bugloss", "bugloss reproduce"
    tasks = frozenset({EvaluationTask.REPRODUCE})

    @property
    def version(self) -> str:
        return own_version("source", "check", "intake", "triage", "reproduce", "probes")

    def ask(self, case: ProgramCase) -> ToolReply:
        report = case.entry.bug.folder / _INCOMPLETE
        if not report.is_file():
            raise DoesNotApply("the bug has no report with an incomplete program")
        request = ReproductionRequest(
            budget=case.settings.budget, offline=case.settings.offline, isolation=isolation_for(case.entry)
        )
        _, found = reproduce_report(str(report), request)
        return ToolReply(
            found.level.rank > 1, text=found.reason[:300], level=found.level.value, agrees=_agrees(case, found)
        )


def _agrees(case: ProgramCase, found: Reproduction) -> bool | None:
    """Whether a crash is the one that the bug's own oracle asks for; None for other bugs."""
    oracle = case.entry.bug.oracle
    seen = found.match.observed if found.match else None
    if oracle.kind is not OracleKind.EXCEPTION or seen is None:
        return None
    return seen.exception == oracle.exception and (not oracle.message or blank(seen.message) == blank(oracle.message))


class TechniqueRanking(BenchTool):
    """A localization technique: the report of a bug against the files of its buggy program."""

    tasks = frozenset({EvaluationTask.LOCALIZE})

    def __init__(self, technique: Technique) -> None:
        self.name = technique.name
        self.title = technique.title

    @property
    def version(self) -> str:
        return own_version("intake", "triage", "localize")

    def ask(self, case: ProgramCase) -> ToolReply:
        if sum(name.endswith(".py") for name in bug_files(case.folder).names) < 2:
            raise DoesNotApply("the program has one file: there is nothing to rank")
        with scratch_folder() as folder:
            lay_out_program(case.folder, folder)
            commit_all(folder)
            request = LocalizationRequest(folder, method=self.name, limit=0, tests=True)
            ranking = localize_report(str(case.entry.bug.folder / "report.md"), request, offline=True)
        paths = tuple(file.path for file in ranking.files)
        return ToolReply(text=", ".join(paths[:3]), ranking=paths)


class PatchSearch(BenchTool):
    """A repair tool of ours: every patch of its answer is tested with the bug's own test."""

    tasks = frozenset({EvaluationTask.REPAIR})

    def __init__(self, name: str) -> None:
        self.name = name
        self.title = {"bugloss": "bugloss repair"}.get(name, f"{name} (baseline)")

    @property
    def version(self) -> str:
        return own_version("source", "check", "observe", "probes", "repair", "verify")

    def ask(self, case: ProgramCase) -> ToolReply:
        settings = case.settings
        trial = RepairEvaluation([case.entry], [self.name], case.recordings, settings.budget, offline=settings.offline)
        row = repair_row(case.entry, self.name, trial)
        if row.failed:
            raise EnvironmentFailure(row.failed)
        return ToolReply(row.patches > 0, text=row.text, plausible=row.plausible, correct=row.correct, repair=row)


def report_tools(task: EvaluationTask) -> list[BenchTool]:
    """The tools of a task that begins with a report."""
    if task is EvaluationTask.REPRODUCE:
        return [ReportReproduction()]
    if task is EvaluationTask.LOCALIZE:
        return [TechniqueRanking(one) for one in load(PluginGroup.TECHNIQUE, Technique).values()]
    return [PatchSearch(name) for name in TOOLS] if task is EvaluationTask.REPAIR else []
