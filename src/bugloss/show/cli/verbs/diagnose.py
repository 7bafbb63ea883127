"""``bugloss diagnose``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import (
    IsolationOption,
    JsonOption,
    ModuleOption,
    OfflineOption,
    OpenOption,
    QuietOption,
    SeedOption,
    WithOption,
)
from bugloss.show.cli.output import print_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bugloss.observe.tools.contract import Tool, ToolAnswer
    from bugloss.show.cli.live import LiveView
    from bugloss.workflows.diagnosis import DiagnosisRequest, Examined


def command(
    target: Annotated[
        str, typer.Argument(metavar="SCRIPT|RUN|LOG|BUG", help="A script, a run, a log of curves, a bug, or a module.")
    ],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="Script arguments.")] = None,
    module: ModuleOption = False,
    stack: Annotated[str | None, typer.Option("--stack", help="The stack to run it in.")] = None,
    python: Annotated[str | None, typer.Option("--python", help="The interpreter to run it with.")] = None,
    packages: WithOption = None,
    here: Annotated[bool, typer.Option("--here", help="Run it in your own interpreter, not sandboxed.")] = False,
    properties: Annotated[
        bool, typer.Option("--properties/--no-properties", help="Test properties of the model on a copy.")
    ] = True,
    experiment: Annotated[bool, typer.Option("--experiment", help="Decide between causes by paired runs.")] = False,
    budget: Annotated[float, typer.Option("--budget", min=1.0, help="Seconds for the experiment.")] = 120.0,
    tool: Annotated[list[str] | None, typer.Option("--tool", help="Run a published tool too; may be repeated.")] = None,
    runs: Annotated[int, typer.Option("--runs", min=2, help="Runs with different seeds, for tools that compare.")] = 6,
    timeout: Annotated[float, typer.Option("-t", "--timeout", min=0.1, help="Seconds for the script.")] = 600.0,
    seed: SeedOption = 0,
    isolation: IsolationOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    open_it: OpenOption = False,
    json: JsonOption = False,
) -> int:
    """Run a training script under observation and find what goes wrong, why, and on which line.

    A script runs sandboxed, without access to your files; if this machine cannot do that, pass --here or --isolation.
    It runs in your own Python (the active virtual environment, else python on PATH) if that has the framework that the
    script imports, otherwise in a stack that fits; the choice is printed. Arguments after -- and standard input are
    passed to the script. Logs of finished trainings (TensorBoard, W&B, CSV or JSON) are read; nothing is run for them.

    Exit code: 0 if a whole training was observed without problems; 1 if a problem was found, or the program crashed,
    was stopped or exited with another code than 0; 3 if it could not be run; 4 if no training step was observed, a
    detector failed or only logs were read; 130 if it was interrupted (what was recorded so far is diagnosed).
    """
    from bugloss.run.sandbox import isolation as isolate
    from bugloss.show.cli.exit_codes import INTERRUPTED, Answered
    from bugloss.show.cli.live import LiveView
    from bugloss.show.cli.running import exit_code, given_input, open_page, write_page
    from bugloss.workflows.comparison import choose_tools
    from bugloss.workflows.diagnosis import DiagnosisRequest

    level = isolate(isolation) if isolation and not here else None
    request = DiagnosisRequest(
        target, tuple(arguments or ()), stack, here, properties, timeout, seed, offline, level, quiet_output=json,
        python=python, packages=tuple(packages or ()), module=module, stdin=given_input(),
    )  # fmt: skip
    tools = choose_tools(tool or ())
    with LiveView(quiet=quiet) as view:
        examined, answers, interrupted = diagnose(request, tools, budget if experiment else None, runs, view)
        page = write_page(examined)
    if not (quiet or json):
        _say_where(examined)
    _show(examined, answers, page, json)
    if open_it:
        open_page(page)
    return Answered(INTERRUPTED if interrupted else exit_code(examined.diagnosis))


def _say_where(examined: Examined) -> None:
    """On a terminal; elsewhere the remarks of the work are lines that stay, and say it already."""
    from bugloss.show.cli.running import chosen_words

    if sys.stderr.isatty() and (words := chosen_words(examined.diagnosis)):
        print(words, file=sys.stderr)


def _show(examined: Examined, answers: Sequence[ToolAnswer], page: Path, json: bool) -> None:
    from bugloss.show.cli.output import console
    from bugloss.show.cli.running import show_answer
    from bugloss.workflows.diagnosis import document

    if json:
        print_json("diagnosis", {**document(examined.diagnosis), "tools": answers})
    else:
        show_answer(examined, page, console(), answers)


def diagnose(
    request: DiagnosisRequest, tools: Sequence[Tool], budget: float | None, runs: int, view: LiveView
) -> tuple[Examined, tuple[ToolAnswer, ...], bool]:
    """The diagnosis, the answers of the tools, and whether Ctrl-C ended it early: the recording so far is diagnosed."""
    from dataclasses import replace

    from bugloss.core.run import Outcome
    from bugloss.workflows.diagnosis import examine, find_recorded, observe_target

    recorded = find_recorded(request)
    examined = examine(recorded or observe_target(request, view.notify, view.listener))
    if recorded is None:
        if examined.diagnosis.ending.outcome is Outcome.INTERRUPTED:
            return examined, (), True
        request = replace(request, isolation=examined.facts.isolation)  # what runs again is treated alike
    try:
        return *_look_closer(examined, request, tools, budget, runs, view.notify), False
    except KeyboardInterrupt:
        return examined, (), True


def _look_closer(
    examined: Examined,
    request: DiagnosisRequest,
    tools: Sequence[Tool],
    budget: float | None,
    runs: int,
    notify: Callable[[str], None],
) -> tuple[Examined, tuple[ToolAnswer, ...]]:
    """The experiments and tools that were requested."""
    from bugloss.core.diagnosis import FailedPlugin
    from bugloss.workflows.comparison import ask
    from bugloss.workflows.diagnosis import with_failures
    from bugloss.workflows.experiment import settle

    if budget is not None:
        examined = settle(examined, request, budget, notify)
    failed: list[FailedPlugin] = []
    answers = tuple(ask(tools, examined, request, runs, notify, failed.append))
    return with_failures(examined, failed), answers
