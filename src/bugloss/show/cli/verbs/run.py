"""``bugloss run``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.exit_codes import Answered
from bugloss.show.cli.options import JsonOption, ModuleOption, OpenOption, QuietOption
from bugloss.show.cli.output import print_json


def command(
    script: Annotated[Path, typer.Argument(help="The training script, or a module with -m.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="Arguments for the script.")
    ] = None,
    python: Annotated[
        str | None, typer.Option("--python", help="The interpreter. Default: the one that `python` starts.")
    ] = None,
    module: ModuleOption = False,
    budget: Annotated[
        float,
        typer.Option(
            "--budget", min=0.001, max=1.0, help="Maximum share of the training time that observation may take."
        ),
    ] = 0.05,
    properties: Annotated[
        bool, typer.Option("--properties", help="Also test properties of the model on a copy.")
    ] = False,
    timeout: Annotated[
        float | None, typer.Option("-t", "--timeout", min=0.1, help="Stop the script after this many seconds.")
    ] = None,
    quiet: QuietOption = False,
    open_it: OpenOption = False,
    json: JsonOption = False,
) -> int:
    """Run a training script unchanged in your own interpreter and observe it.

    Observation does not change the program: output, exit code and learned weights are exactly the same. The recording
    and an HTML page are written to .bugloss/runs/<id>/. The exit code is that of the script. With --json the diagnosis
    is printed, and the output of the script goes to standard error.
    """
    from bugloss.show.cli.live import LiveView
    from bugloss.show.cli.running import finish, open_page
    from bugloss.workflows.diagnosis import document
    from bugloss.workflows.observation import Observation, observe_here
    from bugloss.workflows.subject import find_module

    observation = Observation(script, tuple(arguments or ()), budget, properties, timeout=timeout)
    if module:
        observation = replace(observation, script=find_module(str(script)), module=str(script), root=Path())
    with LiveView(quiet=quiet) as view:
        folder = observe_here(observation, python, view.listener, quiet_output=json)
    examined = finish(folder, quiet=quiet or json)
    if json:
        print_json("diagnosis", document(examined.diagnosis))
    if open_it:
        open_page(folder.report)
    code = folder.facts().exit_code
    return Answered(1 if code is None else 128 - code if code < 0 else code)
