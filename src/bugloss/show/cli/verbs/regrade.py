"""``bugloss regrade``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.options import JsonOption
from bugloss.show.cli.output import console


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The output folder of a verification or evaluation.")],
    json: JsonOption = False,
) -> int:
    """Judge recorded runs or grade stored answers again, without running anything.

    For a folder of `bugloss verify` the runs are judged again; for one of `bugloss evaluate` the scores, tables and the
    page are made again from the stored answers.
    """
    from bugloss.evaluate.matrix.store import is_evaluation

    return _regrade_evaluation(folder, json) if is_evaluation(folder) else _regrade_verification(folder, json)


def _regrade_evaluation(folder: Path, json: bool) -> int:
    from bugloss.show.cli.benchmark import show_evaluation
    from bugloss.workflows.benchmark.session import regrade

    return show_evaluation(regrade(folder), folder, [], json)


def _regrade_verification(folder: Path, json: bool) -> int:
    from bugloss.show.cli.verification import line, show_summary
    from bugloss.workflows.verification import regrade_folder

    results = regrade_folder(folder)
    if not json:
        for result in results:
            console().print(line(result), soft_wrap=True)
    return show_summary(results, json, f"judged again from {folder}; nothing was run")
