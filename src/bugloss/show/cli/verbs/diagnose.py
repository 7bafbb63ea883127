"""``bugloss diagnose``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import IsolationOption, JsonOption, OfflineOption, QuietOption, SeedOption
from bugloss.show.cli.output import print_json, spinner

if TYPE_CHECKING:
    from bugloss.core.diagnosis import Diagnosis


def command(
    target: Annotated[str, typer.Argument(metavar="SCRIPT|RUN|BUG", help="A script, a recorded run, or a bug.")],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="What the script gets.")] = None,
    stack: Annotated[str | None, typer.Option("--stack", help="Where to run it; chosen from its imports.")] = None,
    here: Annotated[bool, typer.Option("--here", help="Run it in your own interpreter, not shut in.")] = False,
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
    json: JsonOption = False,
) -> int:
    """Run a script watched, say what goes wrong, why, and on which line.

    Exit code: 1 when something is wrong, 0 when nothing was seen, 3 when it could not be run, 4 when it did not come
    to its end.
    """
    from bugloss.run.sandbox import isolation as isolate
    from bugloss.show.cli.running import answer_lines, shown, summary, write_page
    from bugloss.workflows.comparison import ask, choose_tools
    from bugloss.workflows.diagnosis import Request, document, examine, observe_target
    from bugloss.workflows.experiment import settle

    request = Request(
        target,
        tuple(arguments or ()),
        stack,
        here,
        properties,
        timeout,
        seed,
        offline,
        None if here else isolate(isolation),
    )
    tools = choose_tools(tool or ())
    with spinner(quiet or json) as notify:
        folder = observe_target(request, notify)
        examined = examine(folder)
        if experiment:
            examined = settle(examined, request, budget, notify)
        page = write_page(examined)
        answers = tuple(ask(tools, examined, request, runs, notify))
    if json:
        print_json("diagnosis", {**document(examined.diagnosis), "tools": answers})
    else:
        print("\n".join(summary(examined.diagnosis)))
        print("\n".join(line for answer in answers for line in answer_lines(answer)))
        print(f"the whole story: {shown(page)}")
    return _exit_code(examined.diagnosis, examined.facts.outcome)


def _exit_code(diagnosis: Diagnosis, outcome: str) -> int:
    from bugloss.show.cli.exit_codes import FINDINGS, FINE, INCONCLUSIVE

    if diagnosis.causes or any(symptom.severity.rank > 0 for symptom in diagnosis.symptoms):
        return FINDINGS
    return INCONCLUSIVE if outcome in {"timeout", "killed", "too-much-evidence"} else FINE
