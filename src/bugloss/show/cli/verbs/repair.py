"""``bugloss repair``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import (
    IsolationOption,
    JobsOption,
    JsonOption,
    ModuleOption,
    OfflineOption,
    QuietOption,
    WithOption,
)

if TYPE_CHECKING:
    from bugloss.workflows.diagnosis import DiagnosisRequest
    from bugloss.workflows.repair import RepairOutcome


def command(
    target: Annotated[str, typer.Argument(metavar="SCRIPT|BUG", help="A script, a bug, or a module with -m.")],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="Script arguments.")] = None,
    module: ModuleOption = False,
    budget: Annotated[float, typer.Option("--budget", min=5.0, help="Seconds for the search.")] = 120.0,
    seeds: Annotated[
        int, typer.Option("--seeds", min=5, max=50, help="Minimum number of seeds for comparing trainings.")
    ] = 5,
    apply: Annotated[bool, typer.Option("--apply", help="Write the best verified patch; a backup is kept.")] = False,
    patch: Annotated[
        Path | None, typer.Option("--patch", help="Write the best patch to this file, for git apply.")
    ] = None,
    interactive: Annotated[bool, typer.Option("--interactive", help="Show the patches one by one and choose.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Also change files with uncommitted changes.")] = False,
    stack: Annotated[str | None, typer.Option("--stack", help="The stack to run it in.")] = None,
    python: Annotated[str | None, typer.Option("--python", help="The interpreter to run it with.")] = None,
    packages: WithOption = None,
    timeout: Annotated[float, typer.Option("-t", "--timeout", min=0.1, help="Seconds for the script.")] = 600.0,
    jobs: JobsOption = 2,
    isolation: IsolationOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Find patches for a script, run each one, and show those that help.

    The script runs sandboxed, as with diagnose. Each patch must apply, add no finding and remove the symptom, and the
    symptom must return when the patch is undone. If the program could train before, the held-out metric must improve
    with the same seeds. Your files are changed only with --apply or --interactive. If you interrupt a repair, the same
    command continues it. Exit code: 0 if a patch helps or nothing is wrong; 1 if something is wrong and no patch helps;
    3 if the program could not be run; 4 if a patch helps only in some runs; 130 if it was interrupted (the patches
    found so far are shown).
    """
    from bugloss.run.sandbox import isolation as isolate
    from bugloss.show.answer.repair import show_repair
    from bugloss.show.answer.sheet import Sheet
    from bugloss.show.cli.exit_codes import Answered
    from bugloss.show.cli.output import console, is_silent, print_json, spinner
    from bugloss.show.cli.running import given_input
    from bugloss.workflows.diagnosis import DiagnosisRequest
    from bugloss.workflows.repair import RepairRequest, document, repair

    _refuse_several(apply, patch is not None, interactive, interactive and json)
    request = DiagnosisRequest(
        target, tuple(arguments or ()), stack, timeout=timeout, offline=offline, quiet_output=json, python=python,
        isolation=isolate(isolation) if isolation else None, packages=tuple(packages or ()), module=module,
        stdin=given_input(),
    )  # fmt: skip
    _refuse_early(request, patch, check=apply and not force)
    with spinner(is_silent(quiet, json)) as notify:
        outcome = repair(RepairRequest(request, budget, jobs, seeds), notify)
    if json:
        print_json("repair", document(outcome))
    else:
        show_repair(outcome, Sheet(console()), offer=not (apply or interactive or patch is not None))
    _write(outcome, patch, apply=apply, ask=interactive, force=force, quiet=json)
    return Answered(exit_code(outcome))


def _refuse_early(request: DiagnosisRequest, patch: Path | None, *, check: bool) -> None:
    """What cannot be written in the end is refused before the search."""
    from bugloss.workflows.diagnosis import find_script
    from bugloss.workflows.patch_writing import refuse_uncommitted, refuse_unwritable

    if patch is not None:
        refuse_unwritable(patch)
    if check:
        refuse_uncommitted(find_script(request))


def _refuse_several(*chosen: bool) -> None:
    from bugloss.core.errors import InvalidInput

    if sum(chosen) > 1:
        raise InvalidInput("--apply, --patch and --interactive exclude each other, and --interactive excludes --json.")


def _write(outcome: RepairOutcome, patch: Path | None, *, apply: bool, ask: bool, force: bool, quiet: bool) -> None:
    from bugloss.show.cli.repair import choose_and_apply, write_patch

    if patch is not None:
        write_patch(outcome, patch, quiet=quiet)
    elif apply or ask:
        choose_and_apply(outcome, ask=ask, force=force, quiet=quiet)


def exit_code(outcome: RepairOutcome) -> int:
    """0 repaired or nothing to repair, 1 not repaired, 3 not run, 4 where patches help only sometimes."""
    from bugloss.core.patch import PatchVerdict
    from bugloss.show.cli.exit_codes import ENVIRONMENT, FINDINGS, FINE, INCONCLUSIVE, INTERRUPTED

    if outcome.interrupted:
        return INTERRUPTED
    if outcome.best is not None or outcome.healthy:
        return FINE
    if not outcome.ran:
        return ENVIRONMENT
    flaky = any(tried.verdict is PatchVerdict.FLAKY for tried in outcome.patches)
    return INCONCLUSIVE if flaky else FINDINGS
