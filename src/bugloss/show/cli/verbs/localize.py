"""``bugloss localize``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.core.errors import InvalidInput
from bugloss.show.cli.exit_codes import FINE
from bugloss.show.cli.options import JsonOption, OfflineOption, QuietOption

LEVELS = ("file", "function")


def command(
    report: Annotated[
        str, typer.Argument(metavar="REPORT", help="A file, - for standard input, so:NUMBER or gh:OWNER/REPO#NUMBER.")
    ],
    repo: Annotated[Path, typer.Option("--repo", help="A git work tree or a bare repository.")] = Path(),
    commit: Annotated[str, typer.Option("--commit", help="The commit to search: a hash, tag or branch.")] = "HEAD",
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help=(
                "bugloss, bm25, buglocator, bluir, blia, dnnloc; with PyTorch bjxnet and bugloss-meaning; or a method "
                "of an installed pack."
            ),
        ),
    ] = "bugloss",
    level: Annotated[str, typer.Option("--level", help="Rank files or functions: file or function.")] = "file",
    limit: Annotated[int, typer.Option("-k", "--limit", min=0, help="Number of results; 0 for all.")] = 10,
    earlier: Annotated[
        Path | None,
        typer.Option("--earlier", help="Fixed reports as JSON lines: title, body, files, closed."),
    ] = None,
    tests: Annotated[bool, typer.Option("--tests", help="Rank test files too.")] = False,
    all_sources: Annotated[
        bool, typer.Option("--all-sources", help="Rank notebooks, C++, CUDA and other sources too.")
    ] = False,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Rank the files and functions of a repository for a bug report, with reasons.

    Files are read from the object store of git at one commit; nothing is checked out or run. If the cause is probably
    outside the source code, a warning says so, and configuration files are ranked too.
    """
    from bugloss.show.cli.output import is_silent, print_json, spinner
    from bugloss.workflows.earlier_reports import read_earlier
    from bugloss.workflows.localization import LocalizationRequest, document, localize_report

    if level not in LEVELS:
        raise InvalidInput(f"'{level}' is not a level.", hint=f"Known: {', '.join(LEVELS)}.")
    search = LocalizationRequest(repo, commit, method, limit, level == "function", tests, all_sources)
    past = read_earlier(earlier) if earlier else ()
    with spinner(is_silent(quiet, json)) as notify:
        ranking = localize_report(report, search, past, offline=offline, notify=notify)
    if json:
        print_json("ranking", document(ranking))
    else:
        from bugloss.show.cli.ranking import show_ranking

        show_ranking(ranking)
    return FINE
