"""``bugloss checkout``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.foreign import checkout_foreign, foreign_choice
from bugloss.show.cli.options import JsonOption, MirrorOption, OfflineOption, TwinArgument
from bugloss.show.cli.output import console, print_json, spinner

_MOST_NAMES = 20


def command(
    bug: TwinArgument,
    work: Annotated[Path, typer.Option("-w", "--work", help="The folder to write to; new or empty.")],
    mirror: MirrorOption = None,
    offline: OfflineOption = False,
    json: JsonOption = False,
) -> None:
    """Copy the buggy or fixed program of a bug into a folder, with its report and test and without its fix."""
    from bugloss.core.bug import Twin
    from bugloss.corpus.checkout import checkout
    from bugloss.corpus.collection import load
    from bugloss.workflows.upstream.sources import provide_sources

    if (foreign := foreign_choice(bug)) is not None:
        twin, names = foreign.twin or Twin.BUGGY, checkout_foreign(foreign, work)
        name = foreign.bug.id
    else:
        entry, chosen = load().twin(bug)
        name, twin = entry.id, chosen or Twin.BUGGY
        with spinner(json) as notify:
            provide_sources(entry, mirror=mirror, offline=offline, notify=notify)
        names = checkout(entry, twin, work)
    if json:
        print_json("checkout", {"bug": name, "twin": twin, "folder": work, "files": names})
        return
    screen = console()
    screen.print(f"{name} ({twin.value}) is in {work}: {_named(names)}", markup=False, soft_wrap=True)
    screen.print(f"Test your change: bugloss test {name} -w {work}", markup=False, soft_wrap=True)


def _named(names: list[str]) -> str:
    """All names, or of the many of a repository the first."""
    return (
        ", ".join(names) if len(names) <= _MOST_NAMES else f"{', '.join(names[:_MOST_NAMES])}, … ({len(names)} files)"
    )
