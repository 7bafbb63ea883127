"""``bugloss regrade``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.options import JsonOption
from bugloss.show.cli.output import console
from bugloss.show.cli.verification import line, show_summary


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The output folder of a verification.")],
    json: JsonOption = False,
) -> int:
    """Judge recorded runs again without running anything."""
    from bugloss.workflows.verification import regrade_folder

    results = regrade_folder(folder)
    if not json:
        for result in results:
            console().print(line(result), soft_wrap=True)
    return show_summary(results, json, f"judged again from {folder}; nothing was run")
