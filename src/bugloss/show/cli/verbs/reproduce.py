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
FolderOption = Annotated[Path | None, typer.Option("-o", "--output", help="The folder for repro.py and its JSON.")]
BudgetOption = Annotated[float, typer.Option("--budget", min=5.0, help="Seconds for the search.")]
StackOption = Annotated[str | None, typer.Option("--stack", help="Where to run it; chosen from the report's era.")]
PythonOption = Annotated[
    str | None, typer.Option("--python", help="Only stacks with this Python (3.8), or the path of an interpreter.")
]
DateOption = Annotated[str | None, typer.Option("--as-of", help="The report's date, YYYY-MM-DD, where it tells none.")]
SecondsOption = Annotated[float, typer.Option("-t", "--timeout", min=1.0, help="Seconds for one run.")]


def command(
    report: ReportArgument,
    output: FolderOption = None,
    budget: BudgetOption = 120.0,
    stack: StackOption = None,
    python: PythonOption = None,
    as_of: DateOption = None,
    timeout: SecondsOption = 30.0,
    runs: RunsOption = 5,
    shrink: Annotated[bool, typer.Option("--shrink/--no-shrink", help="Make the script smaller.")] = True,
    jobs: JobsOption = 2,
    isolation: IsolationOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Turn a report into one script that shows its bug, and prove it by running.

    Works out what would count as reproduced, chooses the environment of the report's era, then edits, runs and reads
    the failure until a run matches. Everything runs shut in. Exit code: 0 when the same failure or one of its kind was
    seen in all confirming runs, 1 when not, 4 when the runs disagree.
    """
    from bugloss.show.cli.output import console, print_json, spinner
    from bugloss.show.cli.reproduction import folder_for, request_of, show_reproduction, write_reproduction
    from bugloss.workflows.reproduced import document
    from bugloss.workflows.reproduction import reproduce_report

    request = request_of(budget, stack, python, as_of, offline, isolation, timeout, runs, shrink, jobs)
    folder = output or folder_for(report)
    with spinner(quiet or json) as notify:
        _, found = reproduce_report(report, request, notify)
    told = document(found, folder.as_posix())
    write_reproduction(folder, found, told)
    if json:
        print_json("reproduction", told)
    else:
        show_reproduction(found, folder, console())
    return exit_code(found)


def exit_code(found: Reproduction) -> int:
    """0 reproduced, 1 not, 4 when the confirming runs disagree."""
    if found.is_flaky:
        return INCONCLUSIVE
    return FINE if found.reproduced else FINDINGS
