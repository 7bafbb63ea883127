"""``bugloss report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.options import JsonOption
from bugloss.show.cli.output import print_json


def command(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="The id or folder of a run; `last` is the latest one.")
    ] = "last",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write the page to this path.")] = None,
    json: JsonOption = False,
) -> int:
    """Diagnose a recorded run again and write its page: curves, layers, symptoms, causes, lines.

    The exit code is that of diagnose.
    """
    from bugloss.record.runs import find_run
    from bugloss.show.cli.files import write_text
    from bugloss.show.cli.running import exit_code, shown, summary, write_page
    from bugloss.workflows.diagnosis import document, examine, require_run

    examined = examine(require_run(find_run(run), run))
    page = write_page(examined)
    if output is not None:
        write_text(page.read_text(encoding="utf-8"), output)
        page = output
    if json:
        print_json("diagnosis", {**document(examined.diagnosis), "page": str(page)})
    else:
        print("\n".join(summary(examined.diagnosis)))
        print(f"full report: {shown(page)}")
    return exit_code(examined.diagnosis)
