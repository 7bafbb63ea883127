"""The tools that bugloss brings: its own, baselines, and whatever reads recordings (the plug-in group ``tool``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bugloss.check.running.inspection import check_paths
from bugloss.check.running.selection import Selection
from bugloss.core.diagnosis import Cause, Symptom
from bugloss.core.finding import Finding
from bugloss.core.run import Outcome
from bugloss.evaluate.matrix.cell import ClaimedFault, ToolReply
from bugloss.observe.tools.contract import Tool
from bugloss.repair.baselines.autotrainer import problems_seen
from bugloss.workflows.benchmark.case import DoesNotApply, ProgramCase
from bugloss.workflows.benchmark.tool import BenchTool
from bugloss.workflows.benchmark.versions import own_version
from bugloss.workflows.danger_search import DangerRequest, search_dangers
from bugloss.workflows.trial import releases_of

_MOST_FAULTS = 5  # of an answer that are kept
_OBSERVING = ("source", "check", "observe", "probes")


class StaticCheck(BenchTool):
    """``bugloss check`` on the files of the program, for the releases of its stack."""

    name, title = "check", "bugloss check (static)"

    @property
    def version(self) -> str:
        return own_version("source", "check")

    def ask(self, case: ProgramCase) -> ToolReply:
        inspection = check_paths([case.folder], Selection(target=releases_of(case.entry.stack)))
        return reply_from_findings(case, inspection.findings)


class FullDiagnosis(BenchTool):
    """``bugloss diagnose``: the observed run, the findings of check, and the arbiter."""

    name, title = "diagnose", "bugloss diagnose (observed run)"
    reads_run = True

    @property
    def version(self) -> str:
        return own_version(*_OBSERVING)

    def ask(self, case: ProgramCase) -> ToolReply:
        diagnosis = case.examined.diagnosis
        return reply_from_causes(case, diagnosis.causes, diagnosis.alarms)


class ExitCode(BenchTool):
    """The baseline without any tool: does the program end with an error?"""

    name, title = "exit-code", "exit code of the program (baseline)"
    reads_run = True

    @property
    def version(self) -> str:
        return own_version("probes")

    def ask(self, case: ProgramCase) -> ToolReply:
        facts = case.facts
        failed = facts.outcome is not Outcome.FINISHED or bool(facts.exit_code)
        crash = case.recording.crash
        words = crash.exception.kind if crash else facts.outcome.value
        return ToolReply(alarm=failed, text=words if failed else "exit code 0")


class AutoTrainerProblems(BenchTool):
    """AutoTrainer's five training problems, seen by the detectors that stand for them."""

    name, title = "autotrainer", "AutoTrainer's training problems (re-implemented)"
    reads_run = True

    @property
    def version(self) -> str:
        return own_version(*_OBSERVING, "repair/baselines")

    def ask(self, case: ProgramCase) -> ToolReply:
        _need_steps(case, 1)
        seen = problems_seen(case.examined.diagnosis.symptoms)
        return ToolReply(alarm=bool(seen), text=", ".join(seen) or "no training problem")


class DangerZones(BenchTool):
    """``bugloss grist``: a search for inputs that bring the program to NaN or infinity."""

    name, title = "grist", "GRIST's search for numeric failures (re-implemented)"
    reads_run = True

    @property
    def version(self) -> str:
        return own_version("probes")

    def ask(self, case: ProgramCase) -> ToolReply:
        _need_steps(case, 1)
        settings, stack = case.settings, case.entry.bug.stack
        request = DangerRequest(
            case.script, stack=stack, budget=settings.budget, timeout=settings.timeout, seed=case.seed,
            offline=settings.offline, isolation=case.facts.isolation,
        )  # fmt: skip
        return reply_from_findings(case, search_dangers(request).inspection.findings)


class RecordingTool(BenchTool):
    """A plug-in that reads recordings: the re-implemented tools of papers, and those of other packs."""

    reads_run = True

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self.name = tool.name
        ours = type(tool).__module__.startswith("bugloss.")
        self.origin = "built-in" if ours else "plug-in"
        self.title = f"{type(tool).__name__} ({'re-implemented' if ours else type(tool).__module__})"

    @property
    def version(self) -> str:
        return own_version("observe", "probes") + ("" if self.origin == "built-in" else f" {_version_of(self.tool)}")

    def ask(self, case: ProgramCase) -> ToolReply:
        _need_steps(case, self.tool.least_steps)
        recordings = list(case.several()) if self.tool.needs_several else [case.recording]
        answer = self.tool.diagnose(recordings)
        alarms = [symptom for symptom in answer.symptoms if symptom.severity.rank > 0]
        reply = reply_from_causes(case, answer.causes, alarms)
        return reply if reply.alarm else ToolReply(text="; ".join(answer.remarks)[:300])


def reply_from_findings(case: ProgramCase, findings: Iterable[Finding]) -> ToolReply:
    """Findings at warning or error, the worst and surest first."""
    counted = [finding for finding in findings if finding.severity.rank > 0]
    counted.sort(key=lambda finding: (-finding.severity.rank, -finding.confidence))
    faults = tuple(
        ClaimedFault(
            finding.rule,
            finding.category.value,
            finding.fix_pattern.value,
            (case.line(finding.path, finding.span.line),),
        )
        for finding in counted[:_MOST_FAULTS]
    )
    return ToolReply(bool(counted), faults, _names(fault.name for fault in faults) or "no finding")


def reply_from_causes(case: ProgramCase, causes: Sequence[Cause], alarms: Sequence[Symptom]) -> ToolReply:
    """Causes as they are ranked; symptoms alone are an alarm without a diagnosis."""
    faults = tuple(
        ClaimedFault(
            cause.cause,
            fix_pattern=cause.fix_pattern.value,
            lines=tuple(case.line(place.path, place.line) for place in cause.locations[:3]),
        )
        for cause in causes[:_MOST_FAULTS]
    )
    named = _names(fault.name for fault in faults) or _names(symptom.name for symptom in alarms)
    return ToolReply(bool(causes or alarms), faults, named or "nothing found")


def _names(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _need_steps(case: ProgramCase, least: int) -> None:
    if len(case.recording.steps) < least:
        wanted = "no training step was" if least == 1 else f"fewer than {least} training steps were"
        raise DoesNotApply(f"{wanted} recorded")


def _version_of(tool: Tool) -> str:
    """The version of the distribution that a foreign plug-in comes from."""
    from importlib.metadata import PackageNotFoundError, packages_distributions, version

    package = type(tool).__module__.partition(".")[0]
    try:
        return "+".join(f"{name} {version(name)}" for name in packages_distributions().get(package, [package]))
    except PackageNotFoundError:
        return package


BUILT_IN: tuple[type[BenchTool], ...] = (StaticCheck, FullDiagnosis, AutoTrainerProblems, DangerZones, ExitCode)
