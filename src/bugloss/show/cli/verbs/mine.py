"""``bugloss mine``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.exit_codes import FINE
from bugloss.show.cli.options import JsonOption, QuietOption


def command(
    repositories: Annotated[
        list[Path], typer.Argument(metavar="REPO...", help="Git work trees or bare repositories on this machine.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write every candidate as a line of JSON to this file.")
    ] = None,
    top: Annotated[int, typer.Option("-k", "--limit", min=1, help="Number of candidates to print.")] = 20,
    commits: Annotated[int, typer.Option("--commits", min=0, help="Look at the newest N commits; 0 for all.")] = 0,
    scaffold: Annotated[
        Path | None,
        typer.Option("--scaffold", help="Write a bug folder to fill in for each printed candidate to this folder."),
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Find commits that fix deep-learning bugs and would make good bugs of the corpus.

    A candidate is a small fix of Python code that uses a deep-learning framework. Shows its score and the reasons for
    it, the issues that it mentions, its fix patterns, the stack of its time, and which candidates have similar fixes.
    Nothing is checked out or run.
    """
    from bugloss.show.cli.mining import show_candidates
    from bugloss.show.cli.output import print_json, spinner
    from bugloss.workflows.mining import document, mine_repository, ranked, scaffold_candidates, write_candidates

    with spinner(quiet or json) as notify:
        mined = [mine_repository(folder, notify, limit=commits) for folder in repositories]
    best = ranked(mined)[:top]
    if output is not None:
        write_candidates(output, mined)
    if scaffold is not None:
        scaffold_candidates(scaffold, best)
    if json:
        print_json("candidates", document(mined, best))
    else:
        show_candidates(mined, best)
    return FINE
