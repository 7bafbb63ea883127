"""``bugloss submit``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import (
    IsolationOption,
    JobsOption,
    JsonOption,
    QuietOption,
    RunsOption,
    SourceBuildsOption,
)
from bugloss.show.cli.output import console, is_silent, print_json
from bugloss.show.cli.verification import line, watching

if TYPE_CHECKING:
    from bugloss.workflows.submission import Submission


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a new bug; see: bugloss new")],
    runs: RunsOption = 5,
    jobs: JobsOption = 1,
    isolation: IsolationOption = None,
    source_builds: SourceBuildsOption = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Lint and verify only; add nothing.")] = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Lint and verify a new bug; if it is active, add it to the corpus under the next permanent id."""
    from bugloss.corpus.collection import load
    from bugloss.run.sandbox import isolation_for_untrusted
    from bugloss.workflows.submission import submit

    corpus, level = load(), isolation_for_untrusted(isolation)
    with watching(is_silent(quiet, json)) as watcher:
        outcome = submit(
            corpus,
            folder,
            watcher,
            runs=runs,
            jobs=jobs,
            source_builds=source_builds,
            isolation=level,
            add=not dry_run,
        )
    if json:
        stability = outcome.result.stability if outcome.result else None
        print_json("submission", {"bug": outcome.bug, "problems": outcome.problems, "stability": stability})
    else:
        screen = console()
        for problem in outcome.problems:
            screen.print(f"{problem.file}: {problem.message}", markup=False, soft_wrap=True)
        if outcome.result:
            screen.print(line(outcome.result), soft_wrap=True)
        screen.print(_closing(outcome, dry_run))
    return 0 if outcome.bug or (dry_run and outcome.is_ready) else 1


def _closing(outcome: Submission, dry_run: bool) -> str:
    if outcome.bug:
        return f"added as {outcome.bug}"
    return "ready to be added" if dry_run and outcome.is_ready else "not added: fix the problems above"
