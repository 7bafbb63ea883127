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
        str, typer.Argument(metavar="SCRIPT|RUN|BUG", help="A script, a recorded run, a bug, or a module with -m.")
    ],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="What the script gets.")] = None,
    module: ModuleOption = False,
    stack: Annotated[str | None, typer.Option("--stack", help="The stack to run it in.")] = None,
    python: Annotated[str | None, typer.Option("--python", help="The interpreter to run it with.")] = None,
    packages: WithOption = None,
    here: Annotated[bool, typer.Option("--here", help="Run it in your own interpreter, not sandboxed.")] = False,
    properties: Annotated[
        bool, typer.Option("--properties/--no-properties", help="Try property probes on a copy.")
    ] = True,
    experiment: Annotated[bool, typer.Option("--experiment", help="Settle doubts by short paired trials.")] = False,
    budget: Annotated[float, typer.Option("--budget", min=1.0, help="Seconds for the trials.")] = 120.0,
    tool: Annotated[
        list[str] | None, typer.Option("--tool", help="Ask this technique of the papers, too; may be given again.")
    ] = None,
    runs: Annotated[int, typer.Option("--runs", min=2, help="Runs over seeds, for tools that compare several.")] = 6,
    timeout: Annotated[float, typer.Option("-t", "--timeout", min=0.1, help="Seconds for the script.")] = 600.0,
    seed: SeedOption = 0,
    isolation: IsolationOption = None,
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    open_it: OpenOption = False,
    json: JsonOption = False,
) -> int:
    """Run a script watched, say what goes wrong, why, and on which line.

    It runs with your own interpreter (the active virtual environment, or python on PATH) if that has the framework that
    the script imports, else in the stack that suits how it is written, with the packages that it imports; what was
    chosen, and why, is said. It runs sandboxed, where your files are out of its reach; where nothing here can do that,
    name --here or --isolation. What comes after -- is for the script, and so is a file or pipe on standard input.
    Exit code: 0 when a whole training was seen and nothing is wrong with it; 1 when something is wrong, or the program
    crashed, was stopped, or left another exit code than 0; 3 when it could not be run; 4 when nothing can be said, as
    no training step was seen or a detector failed; 130 when it was interrupted (what was seen until then is diagnosed).
    """
    from bugloss.run.sandbox import isolation as isolate
    from bugloss.show.cli.exit_codes import INTERRUPTED, Answered
    from bugloss.show.cli.live import LiveView
    from bugloss.show.cli.running import chosen_words, exit_code, given_input, open_page, write_page
    from bugloss.workflows.comparison import choose_tools
    from bugloss.workflows.diagnosis import DiagnosisRequest

    level = isolate(isolation) if isolation and not here else None
    request = DiagnosisRequest(
        target, tuple(arguments or ()), stack, here, properties, timeout, seed, offline, level, quiet_output=json,
        python=python, packages=tuple(packages or ()), module=module, stdin=given_input(),
    )  # fmt: skip
    tools = choose_tools(tool or ())
    with LiveView(quiet=quiet or json) as view:
        examined, answers, interrupted = diagnose(request, tools, budget if experiment else None, runs, view)
        page = write_page(examined)
    # Elsewhere than on a terminal the remarks of the work are lines that stay, and say it already.
    if not (quiet or json) and sys.stderr.isatty() and (words := chosen_words(examined.diagnosis)):
        print(words, file=sys.stderr)
    _show(examined, answers, page, json)
    if open_it:
        open_page(page)
    return Answered(INTERRUPTED if interrupted else exit_code(examined.diagnosis))


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
    """The diagnosis, what the tools say, and whether Ctrl-C ended it early: what was seen until then is diagnosed."""
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
    """The trials and the tools that were asked for."""
    from bugloss.core.diagnosis import FailedPlugin
    from bugloss.workflows.comparison import ask
    from bugloss.workflows.diagnosis import with_failures
    from bugloss.workflows.experiment import settle

    if budget is not None:
        examined = settle(examined, request, budget, notify)
    failed: list[FailedPlugin] = []
    answers = tuple(ask(tools, examined, request, runs, notify, failed.append))
    return with_failures(examined, failed), answers
