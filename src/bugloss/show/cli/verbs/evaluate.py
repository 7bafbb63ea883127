"""``bugloss evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import JsonOption, QuietOption

if TYPE_CHECKING:
    from bugloss.evaluate.localization import Evaluation
    from bugloss.evaluate.retrieval import Estimate, Scores

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Score tools on bugs whose truth is known.")


@app.callback()
def evaluate() -> None:
    """Score tools on bugs whose truth is known."""


@app.command()
def localize(
    data: Annotated[Path, typer.Option("--data", help="JSON lines of reports with truth, or a folder of Denchmark's.")],
    tools: Annotated[str, typer.Option("--tools", help="Methods by name, with commas between.")] = "bugloss,bm25",
    repositories: Annotated[
        Path | None, typer.Option("--repositories", help="Histories as owner+name, for a folder of Denchmark's.")
    ] = None,
    predictions: Annotated[
        list[Path] | None, typer.Option("-p", "--predictions", help="Rankings of other tools: JSON lines.")
    ] = None,
    tests: Annotated[bool, typer.Option("--tests", help="Test files count too, as candidates and as truth.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=0, help="Only the first so many reports.")] = 0,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A folder for the rankings.")] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Score localization methods on reports whose fixes are known.

    Each report is asked about the tree before its fix; of the history and of other reports only what there was when it
    was opened is used. Top@1, 5, 10, MAP and MRR with intervals, in groups, and paired tests against the best method.
    """
    from bugloss.show.cli.output import print_json, spinner
    from bugloss.workflows.evaluation import Trial, document, evaluate_localization, write_outcome

    methods = tuple(name.strip() for name in tools.split(",") if name.strip())
    trial = Trial(data, repositories, methods, tuple(predictions or ()), tests, limit)
    with spinner(quiet or json) as notify:
        outcome = evaluate_localization(trial, notify)
    if output:
        write_outcome(output, outcome)
    if json:
        print_json("evaluation", document(outcome))
    else:
        _show(outcome.evaluation)


def _show(evaluation: Evaluation) -> None:
    from rich.table import Table

    from bugloss.show.cli.output import console

    screen = console()
    table = Table(title=f"{evaluation.reports} reports", box=None)
    for heading in ("method", "Top@1", "Top@5", "Top@10", "MAP", "MRR"):
        table.add_column(heading)
    for method in evaluation.methods:
        table.add_row(method.method, *_cells(method.overall))
        for label, scores in method.groups.get("names a true file", {}).items():
            table.add_row(f"  names a true file: {label} ({scores.reports})", *_cells(scores), style="dim")
    screen.print(table)
    for pair in evaluation.pairs:
        found = pair.average_precision
        screen.print(
            f"{pair.first} against {pair.second}: MAP {found.difference:+.3f}, p = {found.p:.2g}, "
            f"rank-biserial {found.rank_biserial:+.2f}, Cohen's d {found.cohens_d:+.2f}"
        )


def _cells(scores: Scores) -> list[str]:
    return [
        _cell(one)
        for one in (
            scores.top1,
            scores.top5,
            scores.top10,
            scores.mean_average_precision,
            scores.mean_reciprocal_rank,
        )
    ]


def _cell(one: Estimate) -> str:
    return f"{one.value:.3f} ({one.low:.3f}–{one.high:.3f})"
