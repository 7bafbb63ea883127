"""Every verb in one line each, and the help page made of them.

This module imports nothing heavy: ``bugloss --help`` is answered from here, before Typer is loaded.
"""

from __future__ import annotations

from typing import NamedTuple

SYNOPSIS = "Find, reproduce, diagnose and verify deep-learning bugs."

HELP = ("--help", "-h")
CLOSING = """\
Help for a verb: bugloss help VERB, or bugloss VERB -h
Completion in your shell: bugloss --install-completion
With --json a verb prints one JSON document and nothing else.
Exit codes: 0 fine, 1 findings or a gate failed, 2 usage or bad input,
3 an environment or a part is missing, 4 inconclusive or flaky, 130 interrupted."""


class Verb(NamedTuple):
    """Where a verb lives, under which heading it is listed, and what it is for."""

    module: str
    heading: str
    summary: str


VERBS = {
    "demo": Verb("demo", "Start here", "Show one bug from report to fix, then verify a few."),
    "check": Verb("check", "Your code", "Find deep-learning bugs in source code without running it."),
    "grist": Verb("grist", "Your code", "Search for inputs that make a script compute inf or NaN."),
    "run": Verb("run", "Your code", "Run a training script unchanged and observe it."),
    "diagnose": Verb("diagnose", "Your code", "Find what goes wrong in a training, why, and on which line."),
    "repair": Verb("repair", "Your code", "Find patches for a script, run them, and show those that help."),
    "report": Verb("report", "Your code", "Write a page about a recorded run: curves, layers, causes."),
    "runs": Verb("runs", "Your code", "List the recorded runs of this folder."),
    "compare": Verb("compare", "Your code", "Compare two recorded runs, or two evaluations."),
    "rule": Verb("rule", "Your code", "Explain a rule of check, or list all rules."),
    "triage": Verb("triage", "Reports", "Classify a bug report: type, missing information, next steps."),
    "localize": Verb("localize", "Reports", "Rank the files and functions of a repository for a report."),
    "reproduce": Verb("reproduce", "Reports", "Turn a report into a script that shows the bug, and run it."),
    "investigate": Verb("investigate", "Reports", "Triage, reproduce and diagnose a report; write a case file."),
    "list": Verb("list_bugs", "Bugs", "List the bugs, or those that match a query."),
    "info": Verb("info", "Bugs", "Show a bug: facts, report, fix, stability, how to run it."),
    "search": Verb("search", "Bugs", "Find bugs by words in their reports, labels and programs."),
    "similar": Verb("similar", "Bugs", "Show the bugs that are most similar to a given one."),
    "lookup": Verb("lookup", "Bugs", "Find solved bugs with a similar traceback or log."),
    "query": Verb("query", "Bugs", "Print selected fields of bugs as CSV."),
    "diff": Verb("diff", "Bugs", "Show the fix of a bug."),
    "serve": Verb("serve", "Bugs", "Start the web application and the REST API."),
    "site": Verb("site", "Bugs", "Write the catalogue as static pages."),
    "checkout": Verb("checkout", "Run bugs", "Copy the buggy or fixed program of a bug into a folder."),
    "test": Verb("test", "Run bugs", "Run the test of a bug on its buggy or fixed program, sandboxed."),
    "verify": Verb("verify", "Run bugs", "Run both programs of bugs several times and check the results."),
    "regrade": Verb("regrade", "Run bugs", "Judge recorded runs again without running anything."),
    "env": Verb("env", "Run bugs", "List, build, export, remove and prune environments."),
    "export": Verb("export", "Run bugs", "Export a bug for conda, Docker, pip or SWE-bench."),
    "corpus": Verb("corpus", "Research", "Add other people's benchmarks under the same verbs."),
    "evaluate": Verb("evaluate", "Research", "Score tools on bugs whose fixes are known."),
    "study": Verb("study", "Research", "Rerun analyses of published papers: associations, risk of fixes."),
    "mutate": Verb("mutate", "Research", "Put synthetic faults into a program and test which ones show."),
    "mine": Verb("mine", "Research", "Find fixes of deep-learning bugs in git repositories."),
    "mcp": Verb("mcp", "Other tools", "Serve bugloss to language-model clients (MCP)."),
    "lsp": Verb("lsp", "Other tools", "Show findings and fixes in your editor (language server)."),
    "comment": Verb("comment", "Other tools", "Triage a GitHub issue in one comment (for workflows)."),
    "new": Verb("new", "Contribute", "Create a new bug from a template."),
    "lint": Verb("lint", "Contribute", "Check bug folders without running them."),
    "submit": Verb("submit", "Contribute", "Lint and verify a new bug, then add it to the corpus."),
    "deprecate": Verb("deprecate", "Contribute", "Exclude a bug from the scores, with a reason."),
}


def help_page() -> str:
    """What ``bugloss --help`` prints."""
    lines = ["Usage: bugloss VERB [ARGUMENTS]", "       bugloss --help | --version", "", SYNOPSIS]
    heading, width = "", max(map(len, VERBS))
    for name, verb in VERBS.items():
        if verb.heading != heading:
            heading = verb.heading
            lines += ["", heading]
        lines.append(f"  {name:<{width}} {verb.summary}")
    return "\n".join([*lines, "", CLOSING])
