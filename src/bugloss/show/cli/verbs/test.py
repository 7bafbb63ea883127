"""``bugloss test``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import (
    IsolationOption,
    JsonOption,
    OfflineOption,
    QuietOption,
    SeedOption,
    SourceBuildsOption,
    TimeoutOption,
    TwinArgument,
    VerboseOption,
)
from bugloss.show.cli.output import print_json, spinner
from bugloss.show.cli.trial import show_trial

if TYPE_CHECKING:
    from bugloss.core.trial import Trial


def command(
    bug: TwinArgument,
    work: Annotated[
        Path | None, typer.Option("-w", "--work", help="Test this folder (a checkout you changed) instead.")
    ] = None,
    seed: SeedOption = 0,
    timeout: TimeoutOption = None,
    isolation: IsolationOption = None,
    offline: OfflineOption = False,
    source_builds: SourceBuildsOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    json: JsonOption = False,
) -> int:
    """Run a bug's test on its buggy or fixed program, sandboxed.

    Programs that came with bugloss run at the best isolation that works here; those of another corpus, and a folder
    given with -w, only where they cannot reach your files, unless you name the level.
    Exit code: 0 the test passes, 1 it fails, 4 it is undecided or fails in another way than documented,
    3 the program could not be run.
    """
    from bugloss.core.bug import Twin
    from bugloss.core.errors import InvalidInput
    from bugloss.corpus.collection import load
    from bugloss.run.sandbox import isolation_for_untrusted
    from bugloss.workflows.bug_trial import isolation_for, run_trial

    entry, twin = load().twin(bug)
    if work is not None and not work.is_dir():
        raise InvalidInput(f"{work} is no folder.", hint=f"Make one: bugloss checkout {entry.id}b -w {work}")
    level = isolation_for(entry, isolation) if work is None else isolation_for_untrusted(isolation)
    if work is not None and not (quiet or json):
        _note_left_out(work)
    with spinner(quiet or json) as notify:
        trial = run_trial(
            entry,
            twin or Twin.BUGGY,
            seed=seed,
            offline=offline,
            source_builds=source_builds,
            timeout=timeout,
            isolation=level,
            program=work,
            notify=notify,
        )
    if json:
        print_json("test", {"bug": entry.id, "twin": trial.twin, **_document(trial)})
    else:
        show_trial(trial, str(work) if work else trial.twin.value, verbose)
    return _exit_code(trial)


def _note_left_out(work: Path) -> None:
    """Names what of a folder the test does not see, but for what is hidden there."""
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
