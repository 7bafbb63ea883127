"""``bugloss runs``."""

from __future__ import annotations

from typing import Annotated

import typer

from bugloss.show.cli.options import JsonOption
from bugloss.show.cli.output import print_json


def command(
    limit: Annotated[int, typer.Option("-k", "--limit", min=1, help="Maximum number of runs.")] = 20,
    json: JsonOption = False,
) -> None:
    """List the recorded runs of this folder, the latest first.

    `bugloss report RUN` shows one again; `bugloss compare RUN RUN` shows two side by side.
    """
    from bugloss.core.plural import plural
    from bugloss.show.cli.columns import show_columns
    from bugloss.show.page.figures import seconds
    from bugloss.workflows.recorded_runs import list_runs

    runs = list_runs()
    if json:
        print_json("runs", {"runs": runs[:limit]})
        return
    rows = [
        (
            run.run,
            run.outcome,
            "–" if run.seconds is None else seconds(run.seconds),
            ", ".join(run.causes[:2]) or "–",
            " ".join((run.script, *run.arguments)),
        )
        for run in runs[:limit]
    ]
    if rows:
        show_columns(("run", "outcome", "time", "causes", "command"), rows)
    print(plural(len(runs), "run"))
