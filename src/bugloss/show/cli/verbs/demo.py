"""``bugloss demo``."""

from __future__ import annotations

from pathlib import Path

from bugloss.show.cli.options import JobsOption, JsonOption, OfflineOption
from bugloss.show.cli.output import console, spinner
from bugloss.show.cli.verification import show_summary, watching

SHOWN = "torch-0006"
HANDFUL = ("torch-0006",)
_FOLDER = Path(".bugloss", "demo")
_RUNS = 3


def command(jobs: JobsOption = 2, offline: OfflineOption = False, json: JsonOption = False) -> int:
    """Follow one bug from its report to a verified patch, then verify that bug of the corpus.

    The report is triaged, reproduced, diagnosed and repaired. The environment is built first if it does not exist.
    """
    from bugloss.corpus.collection import load
    from bugloss.record.trials import TrialArchive
    from bugloss.run.sandbox.scratch import scratch_folder
    from bugloss.workflows.verification import VerificationRequest, verify

    corpus = load()
    if not json:
        _show_from_report_to_patch(corpus[SHOWN].bug.folder / "original.md", jobs, offline)
        console().rule(f"the same bug of the corpus, each program run {_RUNS} times", align="left")
    with scratch_folder() as folder:
        request = VerificationRequest(HANDFUL, runs=_RUNS, offline=offline)
        with watching(json) as watcher:
            results = verify(corpus, request, TrialArchive(folder), watcher, jobs=jobs)
    return show_summary(results, json, "Next: bugloss investigate YOUR_SCRIPT.py · bugloss list · bugloss verify -j 2")


def _show_from_report_to_patch(report: Path, jobs: int, offline: bool) -> None:
    """What was reported, and the whole way from there."""
    from rich.markdown import Markdown

    from bugloss.core.foreign_file import read_text
    from bugloss.show.case import case_page
    from bugloss.show.cli.reproduction import request_of, write_reproduction
    from bugloss.show.cli.verbs.investigate import show_case, write_case_patch
    from bugloss.workflows.investigation import document, investigate
    from bugloss.workflows.reproduced import document as reproduction_document

    screen = console()
    screen.rule("the report", align="left")
    screen.print(Markdown(read_text(report.parent, report.name), hyperlinks=False))
    screen.rule("reproduced, diagnosed, repaired", align="left")
    request = request_of(120.0, None, None, None, offline, None, 30.0, _RUNS, True, jobs)
    with spinner() as notify:
        case = investigate(str(report), request, _FOLDER, notify)
    write_reproduction(_FOLDER, case.reproduction, reproduction_document(case.reproduction, _FOLDER.as_posix()))
    case_page(_FOLDER, case, document(case, _FOLDER))
    write_case_patch(_FOLDER, case.repair)
    show_case(case, _FOLDER)
