"""``bugloss demo``."""

from __future__ import annotations

from bugloss.show.cli.options import JobsOption, JsonOption, OfflineOption
from bugloss.show.cli.output import console, spinner
from bugloss.show.cli.trial import show_trial
from bugloss.show.cli.verification import show_summary, watching

SHOWN = "torch-0003"
HANDFUL = ("torch-0003", "torch-0006", "torch-0010", "keras-0005", "keras-0009")


def command(jobs: JobsOption = 2, offline: OfflineOption = False, json: JsonOption = False) -> int:
    """Build the environments, show one bug from report to fix, then verify a few bugs in two frameworks."""
    from bugloss.corpus.collection import load
    from bugloss.record.trials import TrialArchive
    from bugloss.run.sandbox.scratch import scratch_folder
    from bugloss.workflows.verification import VerificationRequest, verify

    corpus = load()
    if not json:
        _show_from_report_to_fix(SHOWN, offline)
        console().rule("a few bugs, each program run three times", align="left")
    with scratch_folder() as folder:
        request = VerificationRequest(HANDFUL, runs=3, offline=offline)
        with watching(json) as watcher:
            results = verify(corpus, request, TrialArchive(folder), watcher, jobs=jobs)
    return show_summary(results, json, "Next: bugloss list · bugloss info keras-0005 · bugloss verify -j 2")


def _show_from_report_to_fix(bug: str, offline: bool) -> None:
    """Report, failing run, fix, passing run."""
    from rich.markdown import Markdown
    from rich.syntax import Syntax

    from bugloss.core.bug import Twin
    from bugloss.corpus.collection import load
    from bugloss.workflows.bug_trial import run_trial

    entry = load()[bug]
    screen = console()
    screen.rule(f"{bug}: the report", align="left")
    screen.print(Markdown(entry.report, hyperlinks=False))
    trials = {}
    with spinner() as notify:
        for twin in Twin:
            trials[twin] = run_trial(entry, twin, offline=offline, notify=notify)
    screen.rule("the buggy program, run sandboxed in its own environment", align="left")
    show_trial(trials[Twin.BUGGY], "buggy")
    screen.rule("the fix", align="left")
    screen.print(Syntax(entry.diff(), "diff", background_color="default"))
    screen.rule("the fixed program, run the same way", align="left")
    show_trial(trials[Twin.FIXED], "fixed")
