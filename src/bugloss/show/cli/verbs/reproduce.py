"""``bugloss reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.exit_codes import FINDINGS, FINE, INCONCLUSIVE
from bugloss.show.cli.options import IsolationOption, JobsOption, JsonOption, OfflineOption, QuietOption, RunsOption

if TYPE_CHECKING:
    from bugloss.workflows.reproduced import Reproduction

ReportArgument = Annotated[
    str, typer.Argument(metavar="REPORT", help="A file, - for standard input, so:NUMBER or gh:OWNER/REPO#NUMBER.")
]
FolderOption = Annotated[
    Path | None, typer.Option("-o", "--output", help="Write repro.py and its JSON to this folder.")
]
BudgetOption = Annotated[float, typer.Option("--budget", min=5.0, help="Time limit of the search in seconds.")]
StackOption = Annotated[
    str | None,
    typer.Option(
        "--stack", help="The environment to run it in. Default: chosen from the date and content of the report."
    ),
]
PythonOption = Annotated[
    str | None, typer.Option("--python", help="Only stacks with this Python (3.8), or the path of an interpreter.")
]
DateOption = Annotated[str | None, typer.Option("--as-of", help="The date of the report, YYYY-MM-DD, if it has none.")]
SecondsOption = Annotated[float, typer.Option("-t", "--timeout", min=1.0, help="Time limit of one run in seconds.")]


def command(
    report: ReportArgument,
    output: FolderOption = None,
    budget: BudgetOption = 120.0,
    stack: StackOption = None,
    python: PythonOption = None,
    as_of: DateOption = None,
    timeout: SecondsOption = 30.0,
    runs: RunsOption = 5,
    shrink: Annotated[bool, typer.Option("--shrink/--no-shrink", help="Shrink the script.")] = True,
    jobs: JobsOption = 2,
    isolation: IsolationOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Turn a report into a script that shows the bug, and confirm it by running it.

    Determines the expected failure, chooses an environment of the time of the report, then edits and runs the program
    until its failure matches. Everything runs sandboxed. Exit code: 0 if all confirming runs show the same failure or
    one of the same kind, 1 if not, 4 if the runs disagree.
    """
    from bugloss.show.cli.output import console, is_silent, print_json, spinner
    from bugloss.show.cli.reproduction import folder_for, request_of, show_reproduction, write_reproduction
    from bugloss.workflows.reproduced import document
    from bugloss.workflows.reproduction import reproduce_report

    request = request_of(budget, stack, python, as_of, offline, isolation, timeout, runs, shrink, jobs)
    folder = output or folder_for(report)
    with spinner(is_silent(quiet, json)) as notify:
        _, found = reproduce_report(report, request, notify)
    written = document(found, folder.as_posix())
    write_reproduction(folder, found, written)
    if json:
        print_json("reproduction", written)
    else:
        show_reproduction(found, folder, console())
    return exit_code(found)


def exit_code(found: Reproduction) -> int:
    """0 if reproduced, 1 if not, 4 if the confirming runs disagree."""
    if found.is_flaky:
        return INCONCLUSIVE
    return FINE if found.reproduced else FINDINGS
