"""What an outside tool proposes, tried: a program that shall show a bug is run, a patch is tested by the bug's test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bugloss.core.bug import OracleKind, Twin
from bugloss.core.errors import InvalidInput
from bugloss.core.failure.message import blank
from bugloss.core.judgement import Grade
from bugloss.core.run import Limits, Settings
from bugloss.core.written_file import write_inside
from bugloss.evaluate.matrix.cell import EvaluationTask, ToolReply
from bugloss.run.environment import provide
from bugloss.run.execute import Job, execute
from bugloss.run.sandbox import isolation_for_untrusted
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.workflows.benchmark.case import DoesNotApply, ProgramCase
from bugloss.workflows.benchmark.scratch_repository import apply_diff, lay_out_program
from bugloss.workflows.bug_trial import run_trial

_SCRIPT = "reproduction.py"
_SEEDS = (0, 1)  # what shows with one seed only is not reproduced, and not repaired
_SHOWN = 300


def settle(task: EvaluationTask, case: ProgramCase, reply: ToolReply) -> ToolReply:
    """The reply with what trying it showed; replies of other tasks stay as they are."""
    if task is EvaluationTask.REPRODUCE:
        return _tried_program(case, reply)
    return _tested_patch(case, reply) if task is EvaluationTask.REPAIR else reply


def _tried_program(case: ProgramCase, reply: ToolReply) -> ToolReply:
    oracle = case.entry.bug.oracle
    if oracle.kind is not OracleKind.EXCEPTION:
        raise DoesNotApply("a program alone shows crashes only: this bug has another symptom")
    if not reply.text.strip():
        return replace(reply, alarm=False, level="R0", text="no program")
    seen = []
    with scratch_folder() as folder:
        write_inside(folder, _SCRIPT, reply.text)
        environment = provide(case.entry.stack, offline=case.settings.offline)
        for seed in _SEEDS:
            limits = Limits(wall_seconds=case.settings.timeout)
            job = Job({_SCRIPT: Path(folder, _SCRIPT)}, _SCRIPT, settings=Settings(seed=seed), limits=limits)
            seen.append(execute(job, environment, isolation_for_untrusted()).exception)
    kinds = [one is not None and one.is_a(oracle.exception) for one in seen]
    same = [
        one is not None and kind and (not oracle.message or blank(one.message) == blank(oracle.message))
        for one, kind in zip(seen, kinds, strict=True)
    ]
    level = "R3" if all(same) else "R2" if all(kinds) else "R1" if seen[0] is None else "R0"
    words = f"{seen[0].kind}: {seen[0].message}" if seen[0] else "runs without a failure"
    return ToolReply(all(kinds), text=words[:_SHOWN], level=level, agrees=all(same))


def _tested_patch(case: ProgramCase, reply: ToolReply) -> ToolReply:
    if not reply.text.strip():
        return replace(reply, alarm=False, text="no patch")
    with scratch_folder() as folder:
        lay_out_program(case.folder, folder)
        try:
            apply_diff(folder, reply.text)
        except InvalidInput as error:
            return ToolReply(True, text=error.message[:_SHOWN])
        passed = [_passes(case, folder, seed) for seed in _SEEDS]
    return ToolReply(
        True, text=f"passes {sum(passed)} of {len(passed)} tests", plausible=int(passed[0]), correct=all(passed)
    )


def _passes(case: ProgramCase, program: Path, seed: int) -> bool:
    trial = run_trial(case.entry, Twin.BUGGY, seed=seed, offline=case.settings.offline, program=program)
    return trial.grade is Grade.PASS
