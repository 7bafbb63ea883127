"""Every verb in one line each, and the help page made of them.

This module imports nothing heavy: ``bugloss --help`` is answered from here, before Typer is loaded.
"""

from __future__ import annotations

from typing import NamedTuple

SYNOPSIS = "From a deep-learning bug's complaint to a verified repair."

CLOSING = """\
Each verb explains itself: bugloss VERB --help
With --json a verb prints one JSON document and nothing else.
Exit codes: 0 fine, 1 findings or a gate failed, 2 usage or bad input,
3 an environment or a part is missing, 4 inconclusive or flaky, 130 interrupted."""


class Verb(NamedTuple):
    """Where a verb lives, under which heading it is listed, and what it is for."""

    module: str
    heading: str
    summary: str


VERBS = {
    "demo": Verb("demo", "Start here", "Show one bug's whole story and verify a handful."),
    "check": Verb("check", "Your code", "Find deep-learning bugs in source code, before anything runs."),
    "grist": Verb("grist", "Your code", "Search for an input that makes a script compute inf or NaN."),
    "run": Verb("run", "Your code", "Run a training script as it is, and watch it."),
    "diagnose": Verb("diagnose", "Your code", "Say what goes wrong in a training run, why, and on which line."),
    "repair": Verb("repair", "Your code", "Patch a script: patches that were run and shown to help."),
    "report": Verb("report", "Your code", "Write the page of a recorded run: curves, layers, causes."),
    "rule": Verb("rule", "Your code", "Explain a rule of check, or list them all."),
    "triage": Verb("triage", "Reports", "Say what a bug report is about, what it lacks, what comes next."),
    "localize": Verb("localize", "Reports", "Rank a repository's files and functions for a report."),
    "reproduce": Verb("reproduce", "Reports", "Turn a report into a script that shows its bug, and run it."),
    "investigate": Verb("investigate", "Reports", "Go the whole way from a report, and write the case file."),
    "list": Verb("list_bugs", "Look", "List the bugs, all or those that a query lets through."),
    "info": Verb("info", "Look", "Show a bug: facts, report, fix, stability, how to run it."),
    "search": Verb("search", "Look", "Find bugs by words in their reports, labels and programs."),
    "similar": Verb("similar", "Look", "Show the bugs most like a given one."),
    "lookup": Verb("lookup", "Look", "Find solved bugs that failed like a traceback or log."),
    "query": Verb("query", "Look", "Print chosen fields of bugs as CSV."),
    "diff": Verb("diff", "Look", "Show the fix of a bug."),
    "checkout": Verb("checkout", "Run", "Copy one program of a bug into a folder, without its fix."),
    "test": Verb("test", "Run", "Run a bug's test on its buggy or fixed program, shut in."),
    "verify": Verb("verify", "Run", "Run both programs of bugs several times: how do they stand?"),
    "regrade": Verb("regrade", "Run", "Judge recorded runs anew, without running anything."),
    "env": Verb("env", "Run", "List, build, export, remove and prune environments."),
    "export": Verb("export", "Run", "Write a bug down for conda, Docker, pip or SWE-bench."),
    "evaluate": Verb("evaluate", "Research", "Score methods on reports whose fixes are known."),
    "study": Verb("study", "Research", "Rerun the papers' analyses: association mining."),
    "new": Verb("new", "Contribute", "Start a new bug from a template."),
    "lint": Verb("lint", "Contribute", "Check bug folders without running them."),
    "submit": Verb("submit", "Contribute", "Lint and verify a new bug, then add it to the corpus."),
    "deprecate": Verb("deprecate", "Contribute", "Take a bug out of the scores, with the reason."),
}


def help_page() -> str:
    """What ``bugloss --help`` prints."""
    lines = ["Usage: bugloss VERB [ARGUMENTS]", "       bugloss --help | --version", "", SYNOPSIS]
    heading = ""
    for name, verb in VERBS.items():
        if verb.heading != heading:
            heading = verb.heading
            lines += ["", heading]
        lines.append(f"  {name:<10} {verb.summary}")
    return "\n".join([*lines, "", CLOSING])
