"""``bugloss mine``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.exit_codes import ENVIRONMENT, FINE
from bugloss.show.cli.options import EngineOption, JobsOption, JsonOption, OfflineOption, QuietOption, SchedulerOption

ScaffoldOption = Annotated[
    Path | None,
    typer.Option("--scaffold", help="Write a bug folder to fill in for each printed candidate to this folder."),
]
ReproduceOption = Annotated[
    bool,
    typer.Option(
        "--reproduce", help="With --scaffold: reproduce the issue of each candidate on the commit before its fix."
    ),
]
ReportsOption = Annotated[
    Path | None,
    typer.Option("--reports", help="Saved issues, NUMBER.md or NUMBER.json. Default: fetched from GitHub."),
]
BudgetOption = Annotated[float, typer.Option("--budget", min=5.0, help="Seconds of search for each reproduction.")]


def command(
    repositories: Annotated[
        list[Path], typer.Argument(metavar="REPO...", help="Git work trees or bare repositories on this machine.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write every candidate as a line of JSON to this file.")
    ] = None,
    top: Annotated[int, typer.Option("-k", "--limit", min=1, help="Number of candidates to print.")] = 20,
    commits: Annotated[int, typer.Option("--commits", min=0, help="Look at the newest N commits; 0 for all.")] = 0,
    scaffold: ScaffoldOption = None,
    reproduce: ReproduceOption = False,
    reports: ReportsOption = None,
    budget: BudgetOption = 60.0,
    jobs: JobsOption = 1,
    engine: EngineOption = "local",
    scheduler: SchedulerOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Find commits that fix deep-learning bugs and would make good bugs of the corpus.

    A candidate is a small fix of Python code that uses a deep-learning framework. Shows its score and the reasons for
    it, the issues that it mentions, its fix patterns, the stack of its time, and which candidates have similar fixes.
    Nothing is checked out or run without --reproduce; with it, issues run sandboxed beside the sources of the
    repository. Exit code: 0, or 3 if parts of a repository could not be read.
    """
    from bugloss.show.cli.mining import check_options, show_candidates, show_scaffolds
    from bugloss.show.cli.output import print_json, spinner
    from bugloss.workflows.engine.choice import choose_engine
    from bugloss.workflows.mined_scaffolds import ScaffoldRequest, scaffold_candidates
    from bugloss.workflows.mining import document, mine_repositories, ranked, write_candidates

    check_options(scaffold, reproduce, reports)
    chosen = choose_engine(engine, jobs, scheduler)
    here = engine == "local" and jobs == 1
    with spinner(quiet or json) as notify:
        mined = mine_repositories(repositories, notify, limit=commits, engine=None if here else chosen)
        best = ranked(mined)[:top]
        if output is not None:
            write_candidates(output, mined)
        wanted = (
            ScaffoldRequest(scaffold, tuple(repositories), reproduce, reports, budget, offline) if scaffold else None
        )
        scaffolds = scaffold_candidates(wanted, best, notify) if wanted else []
    if json:
        print_json("candidates", {**document(mined, best), "scaffolds": scaffolds})
    else:
        show_candidates(mined, best)
        show_scaffolds(scaffolds)
    return ENVIRONMENT if any(each.lost for each in mined) else FINE
