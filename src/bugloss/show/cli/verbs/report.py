"""``bugloss report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.options import JsonOption, OpenOption
from bugloss.show.cli.output import print_json


def command(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="The id or folder of a run; `last` is the latest one.")
    ] = "last",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write the page to this path.")] = None,
    open_it: OpenOption = False,
    json: JsonOption = False,
) -> int:
    """Diagnose a recorded run again and write its page: curves, layers, symptoms, causes, lines.

    The exit code is that of diagnose.
    """
    from bugloss.record.runs import find_run
    from bugloss.show.cli.files import write_text
    from bugloss.show.cli.output import console
    from bugloss.show.cli.running import exit_code, open_page, show_answer, write_page
    from bugloss.workflows.diagnosis import document, examine, require_run

    examined = examine(require_run(find_run(run), run))
    page = write_page(examined)
    if output is not None:
        write_text(page.read_text(encoding="utf-8"), output)
        page = output
    if json:
        print_json("diagnosis", {**document(examined.diagnosis), "page": str(page)})
    else:
        show_answer(examined, page, console())
    if open_it:
        open_page(page)
    return exit_code(examined.diagnosis)
