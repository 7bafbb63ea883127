"""``bugloss compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import JsonOption, OpenOption, OutputOption
from bugloss.show.cli.output import print_json

if TYPE_CHECKING:
    from bugloss.workflows.recorded_runs import RunComparison, RunSummary


def command(
    first: Annotated[str, typer.Argument(metavar="RUN", help="The id or folder of a run, or `last`.")],
    second: Annotated[str, typer.Argument(metavar="RUN", help="The run to compare it with.")],
    output: OutputOption = None,
    open_it: OpenOption = False,
    json: JsonOption = False,
) -> None:
    """Compare two recorded runs: their numbers, their causes, and with --open or -o a page with both curves.

    `bugloss runs` lists them.
    """
    from bugloss.record.runs import find_run
    from bugloss.show.cli.files import write_text
    from bugloss.show.cli.running import open_page, write_beside
    from bugloss.show.page.comparison import comparison_page
    from bugloss.workflows.diagnosis import require_run
    from bugloss.workflows.recorded_runs import compare_runs

    folders = [require_run(find_run(name), name) for name in (first, second)]
    compared = compare_runs(*folders)
    if json:
        print_json("comparison", compared.document())
    else:
        _show(compared)
    if output is not None:
        write_text(comparison_page(compared), output)
    if open_it:
        open_page(write_beside(folders[1], f"compared-with-{folders[0].id}.html", comparison_page(compared)))


def _show(compared: RunComparison) -> None:
    from bugloss.show.cli.columns import show_columns
    from bugloss.show.page.comparison import rows_of

    headings = ("", compared.first.run, compared.second.run, "")
    show_columns(headings, rows_of(compared))
    for run in (compared.first, compared.second):
        print(f"{run.run}: {_causes(run)}")


def _causes(run: RunSummary) -> str:
    return f"{run.outcome}; causes: {', '.join(run.causes)}" if run.causes else f"{run.outcome}; no cause found"
