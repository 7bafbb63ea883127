"""``bugloss compare``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import JsonOption, OpenOption, OutputOption
from bugloss.show.cli.output import print_json

if TYPE_CHECKING:
    from bugloss.workflows.recorded_runs import RunComparison, RunSummary


def command(
    first: Annotated[
        str,
        typer.Argument(metavar="RUN|DIR", help="The id or folder of a run, `last`, or the folder of an evaluation."),
    ],
    second: Annotated[str, typer.Argument(metavar="RUN|DIR", help="The run or evaluation to compare it with.")],
    output: OutputOption = None,
    open_it: OpenOption = False,
    json: JsonOption = False,
) -> None:
    """Compare two recorded runs, or two evaluations.

    For two runs, shows their settings, results and causes; --open and -o write a page with both curves. For two folders
    of `bugloss evaluate`, shows which bugs each tool gained and lost, with McNemar's test, Wilcoxon's test of the
    seconds, effect sizes and intervals; p-values are corrected by Holm's method.
    """
    if _are_evaluations(first, second):
        _compare_evaluations(Path(first), Path(second), output, json, open_it)
    else:
        _compare_runs(first, second, output, open_it, json)


def _are_evaluations(first: str, second: str) -> bool:
    from bugloss.core.errors import InvalidInput
    from bugloss.evaluate.matrix.store import is_evaluation

    kinds = [is_evaluation(Path(name)) for name in (first, second)]
    if any(kinds) and not all(kinds):
        other = second if kinds[0] else first
        hint = "Compare two runs (bugloss runs), or two folders of bugloss evaluate."
        raise InvalidInput(f"'{other}' is not the folder of an evaluation, and the other one is.", hint=hint)
    return all(kinds)


def _compare_evaluations(first: Path, second: Path, output: Path | None, json: bool, open_it: bool) -> None:
    from bugloss.core.errors import InvalidInput
    from bugloss.evaluate.matrix.comparison import compare_evaluations, comparison_document
    from bugloss.show.cli.benchmark import show_compared
    from bugloss.workflows.benchmark.session import regrade

    if output is not None or open_it:
        raise InvalidInput("-o and --open are for two runs.", hint="For two evaluations use --json > FILE.")
    found = compare_evaluations(regrade(first), regrade(second))
    if json:
        print_json("evaluation-comparison", comparison_document(found))
    else:
        show_compared(found)


def _compare_runs(first: str, second: str, output: Path | None, open_it: bool, json: bool) -> None:
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
