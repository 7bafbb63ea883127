"""``bugloss investigate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import (
    IsolationOption,
    JobsOption,
    JsonOption,
    OfflineOption,
    OpenOption,
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

if TYPE_CHECKING:
    from bugloss.core.reported_patch import ReportedPatch
    from bugloss.workflows.investigation import Investigation
    from bugloss.workflows.repair import RepairOutcome


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
    open_it: OpenOption = False,
    json: JsonOption = False,
) -> int:
    """Find the cause of a bug from a report or a program, and write a case file: a folder with a page and JSON.

    A report is triaged, reproduced, diagnosed and repaired; with --repo, the files and functions to open are ranked
    too. A program (train.py) is observed, diagnosed and repaired as by bugloss repair. The folder contains index.html,
    case.json, the script repro.py, and repair.patch if a patch was shown to help.

    Exit code: that of reproduce for a report, that of diagnose for a program.
    """
    from bugloss.show.case import case_page
    from bugloss.show.cli.output import is_silent, print_json, spinner
    from bugloss.show.cli.reproduction import folder_for, request_of, write_reproduction
    from bugloss.show.cli.running import open_page
    from bugloss.workflows.investigation import document, investigate
    from bugloss.workflows.localization import LocalizationRequest
    from bugloss.workflows.reproduced import document as reproduction_document

    folder = output or folder_for(report)
    if report.endswith(".py") or (report.endswith(".ipynb") and Path(report).is_file()):
        return _investigate_program(
            report, folder, budget, stack, python, tuple(packages or ()), isolation, offline, quiet, json, open_it
        )
    request = request_of(
        budget, stack, python, as_of, offline, isolation, timeout, runs, True, jobs, tuple(packages or ())
    )
    with spinner(is_silent(quiet, json)) as notify:
        case = investigate(
            report, request, folder, notify, LocalizationRequest(repo, commit) if repo is not None else None
        )
    written = document(case, folder)
    write_reproduction(folder, case.reproduction, reproduction_document(case.reproduction, folder.as_posix()))
    case_page(folder, case, written)
    write_case_patch(folder, case.repair)
    if json:
        print_json("case", written)
    else:
        show_case(case, folder)
    if open_it:
        open_page(folder / "index.html")
    return exit_code(case.reproduction)


def show_case(case: Investigation, folder: Path) -> None:
    """The verdict and the cause, how that came about, and the files to open."""
    from bugloss.show.cli.output import console
    from bugloss.show.cli.ranking import show_ranking
    from bugloss.show.cli.reproduction import show_level, show_steps
    from bugloss.show.cli.running import show_cause

    screen = console()
    show_level(case.reproduction, screen)
    if case.examined is not None:
        screen.print()
        show_cause(case.examined, screen)
        screen.print()
    show_steps(case.reproduction, folder, screen)
    _show_repaired(case.repair, case.reported)
    if case.ranking is not None:
        show_ranking(case.ranking)
    screen.print(f"case file: {(folder / 'index.html').as_posix()}")


def write_case_patch(folder: Path, repaired: RepairOutcome | None) -> None:
    """The best patch beside the page."""
    from bugloss.core.written_file import write_inside
    from bugloss.show.page.patch_view import PATCH_FILE
    from bugloss.workflows.patch_writing import patch_for_git

    if repaired is not None and repaired.best is not None:
        write_inside(folder, PATCH_FILE, patch_for_git(repaired.best.diff, repaired.root))


def _show_repaired(repaired: RepairOutcome | None, reported: ReportedPatch | None = None) -> None:
    from bugloss.show.answer.repair import show_repair, show_reported
    from bugloss.show.answer.sheet import Sheet
    from bugloss.show.cli.output import console

    if repaired is not None:
        screen = console()
        screen.print()
        show_repair(repaired, Sheet(screen))
        if reported is not None:
            show_reported(reported, Sheet(screen))


def _investigate_program(
    script: str,
    folder: Path,
    budget: float,
    stack: str | None,
    python: str | None,
    packages: tuple[str, ...],
    isolation: str | None,
    offline: bool,
    quiet: bool,
    json: bool,
    open_it: bool,
) -> int:
    """A program shows its bug itself: it is diagnosed, repaired, and the patch verified."""
    from bugloss.run.sandbox import isolation as isolate
    from bugloss.show.case import write_case
    from bugloss.show.cli.exit_codes import INTERRUPTED, Answered
    from bugloss.show.cli.live import LiveView
    from bugloss.show.cli.output import console, print_json
    from bugloss.show.cli.running import exit_code as diagnosis_exit_code
    from bugloss.show.cli.running import given_input, open_page, page_of, show_answer, write_page
    from bugloss.show.cli.verbs.diagnose import diagnose
    from bugloss.show.page.patch_view import patch_view
    from bugloss.workflows.diagnosis import DiagnosisRequest
    from bugloss.workflows.investigation import program_document, repair_program

    request = DiagnosisRequest(
        script, stack=stack, offline=offline, isolation=isolate(isolation) if isolation else None, python=python,
        packages=packages, stdin=given_input(),
    )  # fmt: skip
    with LiveView(quiet=quiet) as view:
        examined, _, interrupted = diagnose(request, (), None, 0, view)
        write_page(examined)
        repaired = None if interrupted else repair_program(examined, request, budget, view.notify)
    document = program_document(examined.diagnosis, repaired)
    shown = patch_view(repaired, folder) if repaired is not None else None
    page = write_case(folder, page_of(examined, shown), document)
    write_case_patch(folder, repaired)
    if json:
        print_json("case", document)
    else:
        show_answer(examined, page, console())
        _show_repaired(repaired)
    if open_it:
        open_page(page)
    return Answered(INTERRUPTED if interrupted else diagnosis_exit_code(examined.diagnosis))
