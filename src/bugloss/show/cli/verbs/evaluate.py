"""``bugloss evaluate``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from bugloss.core.errors import InvalidInput
from bugloss.show.cli.options import (
    EngineOption,
    JobsOption,
    JsonOption,
    OfflineOption,
    QuietOption,
    RunsOption,
    SchedulerOption,
    SeedOption,
)

Value = TypeVar("Value")
BugsArgument = Annotated[list[str] | None, typer.Argument(metavar="[BUG]...", help="Bugs; without any, all.")]
WhereBugs = Annotated[str | None, typer.Option("--bugs", help="Only bugs that match this query.")]
SampleOption = Annotated[int, typer.Option("--sample", min=0, help="Only so many bugs, drawn by their names.")]
ToolsOption = Annotated[
    str, typer.Option("--tools", help="Names and driver files (.toml), separated by commas; all: every built-in tool.")
]
PredictionsOption = Annotated[
    list[Path] | None, typer.Option("-p", "--predictions", help="Answers of other tools as JSON lines.")
]
FolderOption = Annotated[
    Path, typer.Option("-o", "--output", help="The folder of answers, scores and page; the same command goes on there.")
]
RecordingsOption = Annotated[
    Path | None, typer.Option("--recordings", help="The folder of observed runs. Default: one in the output folder.")
]
ByOption = Annotated[str, typer.Option("--by", help="Groups to print: category, symptom, framework, stack, oracle.")]
ProgramTimeout = Annotated[float, typer.Option("-t", "--timeout", min=1, help="Stop a program after so many seconds.")]
BudgetOption = Annotated[float, typer.Option("--budget", min=0.1, help="Seconds of a tool that searches.")]
AgainOption = Annotated[bool, typer.Option("--again", help="Repeat what the folder has already.")]
app = typer.Typer(add_completion=False, no_args_is_help=True, help="Score tools on bugs whose fixes are known.")


@app.callback()
def evaluate() -> None:
    """Score tools on bugs whose fixes are known."""


def _scored(verb: str) -> Callable[..., int]:
    """The command that scores one verb: both take the same options."""

    def command(
        bugs: BugsArgument = None,
        where: WhereBugs = None,
        tools: ToolsOption = "all",
        predictions: PredictionsOption = None,
        runs: RunsOption = 1,
        seed: SeedOption = 0,
        sample: SampleOption = 0,
        by: ByOption = "",
        recordings: RecordingsOption = None,
        timeout: ProgramTimeout = 180.0,
        budget: BudgetOption = 10.0,
        again: AgainOption = False,
        output: FolderOption = Path(f"{verb}-evaluation"),
        jobs: JobsOption = 1,
        engine: EngineOption = "local",
        scheduler: SchedulerOption = None,
        offline: OfflineOption = False,
        quiet: QuietOption = False,
        json: JsonOption = False,
    ) -> int:
        from bugloss.show.cli.evaluating_bugs import BugEvaluation, evaluate_bugs

        chosen = BugEvaluation(tuple(bugs or ()), where, sample, _names(tools), tuple(predictions or ()), _names(by))
        where_to = (output, recordings, jobs, engine, scheduler)
        return evaluate_bugs(verb, chosen, where_to, (runs, seed, timeout, budget, offline, again), quiet, json)

    command.__doc__ = _SCORED[verb]
    return command


_SCORED = {
    "detect": """Score tools that say whether a program has a fault.

    Every tool is asked about the buggy and the fixed program of each bug. Prints recall, precision and F1 with
    intervals, alarms on fixed programs, and seconds. A tool that does not apply to a bug has not missed it; a failure
    of the machine counts neither for nor against a tool. Exit code: 0, or 3 if the machine kept a tool from answering.
    """,
    "diagnose": """Score tools that say what is wrong with a program, and on which line.

    A category or fix pattern is right when it is that of the bug; a line is right when it is at most three lines from
    one that the fix changes. The answers are the same as those of detect: both can use one folder.
    """,
}
for _verb in _SCORED:
    app.command(_verb)(_scored(_verb))


ReportsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--data",
        help="JSON lines of reports with their fixed files, or a folder of Denchmark or BuGL. Default: the corpus.",
    ),
]
RepositoriesOption = Annotated[
    Path | None,
    typer.Option("--repositories", help="Folder of git histories named owner+name, for a folder of reports."),
]
LabelsOption = Annotated[
    list[Path] | None,
    typer.Option("--labels", help="Types and origins of reports: CSV as published with the study."),
]


@app.command()
def localize(
    data: ReportsOption = None,
    where: WhereBugs = None,
    tools: Annotated[str, typer.Option("--tools", help="Methods to score, separated by commas.")] = "bugloss,bm25",
    repositories: RepositoriesOption = None,
    labels: LabelsOption = None,
    predictions: Annotated[
        list[Path] | None, typer.Option("-p", "--predictions", help="Rankings of other tools as JSON lines.")
    ] = None,
    level: Annotated[str, typer.Option("--level", help="file, or function to score functions too.")] = "file",
    tests: Annotated[bool, typer.Option("--tests", help="Include test files, as candidates and as truth.")] = False,
    by: Annotated[
        str,
        typer.Option("--by", help="Groups to print, separated by commas: named, project, type, origin, class, system."),
    ] = "",
    tables: Annotated[bool, typer.Option("--tables", help="Print tables 8, 14, 22, 28 and 30 of the study.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=0, help="Use only the first N reports.")] = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write rankings, tables and a figure to this folder.")
    ] = None,
    jobs: JobsOption = 1,
    engine: EngineOption = "local",
    scheduler: SchedulerOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Score localization methods on reports whose fixes are known.

    Without --data the report of each bug of the corpus is ranked against the files of its buggy program; bugs of one
    file do not apply. --level, --tests, --tables, --labels and --limit are for --data.

    Each report is ranked on the tree before its fix, with only the history and the reports of that time. Prints Top@1,
    5 and 10, MAP and MRR with intervals, by group, and paired tests against the best method.
    """
    from bugloss.show.cli.evaluation import GROUPS, show_outcome, write_folder
    from bugloss.show.cli.output import is_silent, print_json, spinner
    from bugloss.workflows.evaluation import EvaluationRequest, document, evaluate_localization

    if not data:
        return _evaluate_bugs(
            "localize", (where, tools, predictions, by, output), (jobs, engine, scheduler), quiet, json
        )
    groups = [_known(name, GROUPS, "group") for name in _names(by or "named")]
    functions = _known(level, {"file": False, "function": True}, "level")
    given = (tuple(predictions or ()), tests, limit, tuple(labels or ()), functions)
    trial = EvaluationRequest(tuple(data), repositories, tuple(_names(tools)), *given)
    with spinner(is_silent(quiet, json)) as notify:
        outcome = evaluate_localization(trial, notify)
    if output:
        write_folder(output, outcome)
    if json:
        print_json("evaluation", document(outcome))
    else:
        show_outcome(outcome, groups, tables=tables)
    return 0


def _evaluate_bugs(
    task: str,
    asked: tuple[str | None, str, list[Path] | None, str, Path | None],
    where_to: tuple[int, str, str | None],
    quiet: bool,
    json: bool,
) -> int:
    """An evaluation over the corpus that runs no program of it."""
    from bugloss.show.cli.evaluating_bugs import BugEvaluation, evaluate_bugs

    where, tools, predictions, by, output = asked
    chosen = BugEvaluation((), where, 0, _names(tools), tuple(predictions or ()), _names(by))
    place = (output or Path(f"{task}-evaluation"), None, *where_to)
    return evaluate_bugs(task, chosen, place, (1, 0, 180.0, 10.0, True, False), quiet, json)


@app.command()
def reproduce(
    bugs: BugsArgument = None,
    where: WhereBugs = None,
    tools: ToolsOption = "all",
    predictions: PredictionsOption = None,
    sample: SampleOption = 0,
    by: ByOption = "",
    timeout: ProgramTimeout = 60.0,
    budget: BudgetOption = 120.0,
    again: AgainOption = False,
    output: FolderOption = Path("reproduce-evaluation"),
    jobs: JobsOption = 1,
    engine: EngineOption = "local",
    scheduler: SchedulerOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Score tools that turn a report into a program that shows its bug.

    A tool gets the report as it was first written; bugs without one do not apply. Programs of other tools (drivers, or
    `script` in the predictions) are run twice in the bug's environment: R3 means the exception that the bug's oracle
    asks for, both times.
    """
    from bugloss.show.cli.evaluating_bugs import BugEvaluation, evaluate_bugs

    chosen = BugEvaluation(tuple(bugs or ()), where, sample, _names(tools), tuple(predictions or ()), _names(by))
    where_to = (output, None, jobs, engine, scheduler)
    return evaluate_bugs("reproduce", chosen, where_to, (1, 0, timeout, budget, offline, again), quiet, json)


@app.command()
def repair(
    bugs: BugsArgument = None,
    where: WhereBugs = None,
    tools: Annotated[
        str, typer.Option("--tools", help="bugloss, random-search, autotrainer, driver files; separated by commas.")
    ] = "bugloss",
    predictions: PredictionsOption = None,
    budget: Annotated[float, typer.Option("--budget", min=5.0, help="Seconds of a search.")] = 60.0,
    sample: SampleOption = 0,
    by: ByOption = "",
    again: AgainOption = False,
    output: FolderOption = Path("repair-evaluation"),
    jobs: JobsOption = 1,
    engine: EngineOption = "local",
    scheduler: SchedulerOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> int:
    """Score repair tools on bugs of the corpus, each with the same seconds.

    Every patch of an answer, up to five, is tested with the bug's own test. Prints plausible@1, plausible@5, correct@1,
    regressions per hundred patches that were offered as verified, and seconds. Random search changes settings at
    random; autotrainer follows the table of that tool; both are validated like our patches. A patch of another tool
    (a driver, or `patch` in the predictions) is applied to the buggy program and tested with two seeds.
    """
    from bugloss.show.cli.evaluating_bugs import BugEvaluation, evaluate_bugs

    chosen = BugEvaluation(tuple(bugs or ()), where, sample, _names(tools), tuple(predictions or ()), _names(by))
    where_to = (output, None, jobs, engine, scheduler)
    return evaluate_bugs("repair", chosen, where_to, (1, 0, 180.0, budget, offline, again), quiet, json)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _known(name: str, known: Mapping[str, Value], what: str) -> Value:
    if name not in known:
        raise InvalidInput(f"'{name}' is not a {what}.", hint=f"Known: {', '.join(known)}.")
    return known[name]
