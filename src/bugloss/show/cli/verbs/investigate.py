"""``bugloss investigate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.options import (
    IsolationOption,
    JobsOption,
    JsonOption,
    OfflineOption,
    QuietOption,
    RunsOption,
    WithOption,
)
from bugloss.show.cli.verbs.reproduce import (
    BudgetOption,
    DateOption,
    PythonOption,
    ReportArgument,
    SecondsOption,
    StackOption,
    exit_code,
)


def command(
    report: ReportArgument,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write the case file to this folder.")] = None,
    repo: Annotated[
        Path | None, typer.Option("--repo", help="A git work tree or bare repository; its files are ranked too.")
    ] = None,
    commit: Annotated[str, typer.Option("--commit", help="The commit of --repo to search.")] = "HEAD",
    budget: BudgetOption = 120.0,
    stack: StackOption = None,
    python: PythonOption = None,
    packages: WithOption = None,
    as_of: DateOption = None,
    timeout: SecondsOption = 30.0,
    runs: RunsOption = 5,
    jobs: JobsOption = 2,
    isolation: IsolationOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Triage, reproduce and diagnose a report, and write the results to one folder.

    With --repo the files and functions to open are ranked too. Writes index.html, case.json and repro.py. The exit code
    is that of reproduce.
    """
    from bugloss.show.case import case_page
    from bugloss.show.cli.output import console, print_json, spinner
    from bugloss.show.cli.reproduction import folder_for, request_of, show_reproduction, write_reproduction
    from bugloss.workflows.investigation import document, investigate
    from bugloss.workflows.localization import LocalizationRequest
    from bugloss.workflows.reproduced import document as reproduction_document

    request = request_of(
        budget, stack, python, as_of, offline, isolation, timeout, runs, True, jobs, tuple(packages or ())
    )
    folder = output or folder_for(report)
    with spinner(quiet or json) as notify:
        case = investigate(
            report, request, folder, notify, LocalizationRequest(repo, commit) if repo is not None else None
        )
    written = document(case, folder)
    write_reproduction(folder, case.reproduction, reproduction_document(case.reproduction, folder.as_posix()))
    case_page(folder, case, written)
    if json:
        print_json("case", written)
    else:
        show_reproduction(case.reproduction, folder)
        if case.ranking is not None:
            from bugloss.show.cli.ranking import show_ranking

            show_ranking(case.ranking)
        console().print(f"case file: {(folder / 'index.html').as_posix()}", markup=False)
    return exit_code(case.reproduction)
