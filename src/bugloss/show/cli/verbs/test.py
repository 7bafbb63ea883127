"""``bugloss test``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.foreign import foreign_choice, test_foreign
from bugloss.show.cli.options import (
    IsolationOption,
    JsonOption,
    MirrorOption,
    OfflineOption,
    QuietOption,
    SeedOption,
    SourceBuildsOption,
    TimeoutOption,
    TwinArgument,
    VerboseOption,
)
from bugloss.show.cli.output import is_silent, print_json, spinner
from bugloss.show.cli.trial import show_trial

if TYPE_CHECKING:
    from bugloss.core.trial import Trial


def command(
    bug: TwinArgument,
    work: Annotated[
        Path | None, typer.Option("-w", "--work", help="Test this folder (a checkout that you changed) instead.")
    ] = None,
    seed: SeedOption = 0,
    timeout: TimeoutOption = None,
    isolation: IsolationOption = None,
    mirror: MirrorOption = None,
    offline: OfflineOption = False,
    source_builds: SourceBuildsOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    json: JsonOption = False,
) -> int:
    """Run the test of a bug on its buggy or fixed program, sandboxed.

    Programs of the bugloss corpus run at the strongest isolation level that works on this machine. Programs of other
    benchmarks and public repositories, and folders given with -w, are not trusted: they run only where they cannot
    read your files, unless you choose a level with --isolation.

    Exit code: 0 if the test passes; 1 if it fails; 4 if it is undecided, or fails with another error than the bug's; 3
    if the program could not be run.
    """
    from bugloss.core.bug import Twin
    from bugloss.core.errors import InvalidInput
    from bugloss.corpus.collection import load
    from bugloss.run.sandbox import isolation_for_untrusted
    from bugloss.workflows.bug_trial import isolation_for, run_trial

    if work is not None and not work.is_dir():
        raise InvalidInput(f"{work} is not a folder.", hint=f"Create it: bugloss checkout {bug} -w {work}")
    if (foreign := foreign_choice(bug)) is not None:
        from bugloss.workflows.foreign_trials import ForeignRequest

        with spinner(quiet or json) as notify:
            trial = test_foreign(foreign, ForeignRequest(seed, timeout, offline), isolation, work, notify)
        return _shown(trial, work, verbose, json)
    entry, twin = load().twin(bug)
    level = isolation_for(entry, isolation) if work is None else isolation_for_untrusted(isolation)
    if work is not None and not (quiet or json):
        _note_left_out(work)
    with spinner(is_silent(quiet, json)) as notify:
        trial = run_trial(
            entry,
            twin or Twin.BUGGY,
            seed=seed,
            offline=offline,
            source_builds=source_builds,
            timeout=timeout,
            isolation=level,
            program=work,
            mirror=mirror,
            notify=notify,
        )
    return _shown(trial, work, verbose, json)


def _shown(trial: Trial, work: Path | None, verbose: bool, json: bool) -> int:
    """Shows a trial; its grade is the exit code."""
    if json:
        print_json("test", {"bug": trial.bug, "twin": trial.twin, **_document(trial)})
    else:
        show_trial(trial, str(work) if work else trial.twin.value, verbose)
    return _exit_code(trial)


def _note_left_out(work: Path) -> None:
    """Names the files of a folder that the test does not see, except hidden ones."""
    from bugloss.core.foreign_file import shown
    from bugloss.corpus.unified_diff import bug_files

    for left in bug_files(work).left_alone[:5]:
        if not any(part.startswith(".") for part in left.name.split("/")):
            print(f"not copied into the sandbox: {shown(left.name)}: {left.why}", file=sys.stderr)


def _document(trial: Trial) -> dict[str, object]:
    judged = trial.judgement
    return {"grade": judged.grade, "reason": judged.reason, "measured": judged.measured, "run": trial.run}


def _exit_code(trial: Trial) -> int:
    from bugloss.core.judgement import Grade
    from bugloss.show.cli.exit_codes import ENVIRONMENT, FINDINGS, FINE, INCONCLUSIVE

    codes = {Grade.PASS: FINE, Grade.FAIL: FINDINGS, Grade.NOT_RUN: ENVIRONMENT}
    return codes.get(trial.grade, INCONCLUSIVE)
