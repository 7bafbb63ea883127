"""``bugloss submit``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.options import (
    IsolationOption,
    JobsOption,
    JsonOption,
    QuietOption,
    RunsOption,
    SourceBuildsOption,
)
from bugloss.show.cli.output import console, print_json
from bugloss.show.cli.verification import line, watching


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a new bug; see: bugloss new")],
    runs: RunsOption = 5,
    jobs: JobsOption = 1,
    isolation: IsolationOption = None,
    source_builds: SourceBuildsOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Lint and verify a new bug; if it is active, add it to the corpus under the next permanent id."""
    from bugloss.corpus.collection import load
    from bugloss.run.sandbox import isolation_for_untrusted
    from bugloss.workflows.submission import submit

    corpus, level = load(), isolation_for_untrusted(isolation)
    with watching(quiet or json) as watcher:
        outcome = submit(corpus, folder, watcher, runs=runs, jobs=jobs, source_builds=source_builds, isolation=level)
    if json:
        stability = outcome.result.stability if outcome.result else None
        print_json("submission", {"bug": outcome.bug, "problems": outcome.problems, "stability": stability})
    else:
        screen = console()
        for problem in outcome.problems:
            screen.print(f"{problem.file}: {problem.message}", markup=False, soft_wrap=True)
        if outcome.result:
            screen.print(line(outcome.result), soft_wrap=True)
        screen.print(f"added as {outcome.bug}" if outcome.bug else "not added: fix the problems above")
    return 0 if outcome.bug else 1
