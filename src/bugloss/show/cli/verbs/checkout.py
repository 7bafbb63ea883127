"""``bugloss checkout``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.foreign import checkout_foreign, foreign_choice
from bugloss.show.cli.options import JsonOption, TwinArgument
from bugloss.show.cli.output import console, print_json


def command(
    bug: TwinArgument,
    work: Annotated[Path, typer.Option("-w", "--work", help="The folder to write to; new or empty.")],
    json: JsonOption = False,
) -> None:
    """Copy the buggy or fixed program of a bug into a folder, with its report and test and without its fix."""
    from bugloss.core.bug import Twin
    from bugloss.corpus.checkout import checkout
    from bugloss.corpus.collection import load

    if (foreign := foreign_choice(bug)) is not None:
        checkout_foreign(foreign, work, json)
        return
    entry, twin = load().twin(bug)
    twin = twin or Twin.BUGGY
    names = checkout(entry, twin, work)
    if json:
        print_json("checkout", {"bug": entry.id, "twin": twin, "folder": work, "files": names})
        return
    screen = console()
    screen.print(f"{entry.id} ({twin.value}) is in {work}: {', '.join(names)}", markup=False, soft_wrap=True)
    screen.print(f"Test your change: bugloss test {entry.id} -w {work}", markup=False, soft_wrap=True)
