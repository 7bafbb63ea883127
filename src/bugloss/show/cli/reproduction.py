"""A reproduction for people, and the files that are left of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside

if TYPE_CHECKING:
    from bugloss.workflows.reproduced import Reproduction, ReproductionRequest

_COLOURS = {"R4": "bold green", "R3": "green", "R2": "yellow", "R1": "red", "R0": "bold red"}


def request_of(
    budget: float,
    stack: str | None,
    python: str | None,
    as_of: str | None,
    offline: bool,
    isolation: str | None,
    timeout: float,
    runs: int,
    shrink: bool,
    jobs: int,
    packages: tuple[str, ...] = (),
) -> ReproductionRequest:
    """What the options ask for."""
    from bugloss.run.sandbox import isolation_for_untrusted
    from bugloss.workflows.reproduced import ReproductionRequest

    try:
        day = date.fromisoformat(as_of) if as_of else None
    except ValueError as error:
        raise InvalidInput(f"'{as_of}' is not a date.", hint="Write it as YYYY-MM-DD: --as-of 2021-07-30") from error
    level = isolation_for_untrusted(isolation)
    return ReproductionRequest(budget, stack, python, day, offline, level, timeout, runs, shrink, jobs, packages)


def folder_for(report: str) -> Path:
    """The default folder of a reproduction."""
    name = re.sub(r"\W+", "-", Path(report).stem if not report.startswith(("so:", "gh:")) else report).strip("-")
    folder = Path(".bugloss", "reproductions", name or "report")
    for place in (folder, *folder.parents):
        if place.is_symlink():  # it may have come with the files of this folder
            raise InvalidInput(f"{place} is a link, not a folder.", hint="Name a folder for the results: -o DIR")
    return folder


def write_reproduction(folder: Path, found: Reproduction, document: Mapping[str, object]) -> None:
    """``repro.py`` and ``reproduction.json``."""
    from bugloss.core.codec import encode

    try:
        folder.mkdir(parents=True, exist_ok=True)
        if found.script:
            write_inside(folder, "repro.py", found.script)
        whole = {"schema": "bugloss.reproduction/1", **document}
        text = json_text(encode(whole), indent=1)
        write_inside(folder, "reproduction.json", text)
    except OSError as error:
        raise EnvironmentFailure(
            f"{folder} cannot be written: {error.strerror}.", hint="Name another folder: -o DIR"
        ) from error


def show_reproduction(found: Reproduction, folder: Path) -> None:
    """The verdict first, then what was expected and seen, what was edited, and what to ask."""
    from rich.text import Text

    from bugloss.show.cli.output import console

    screen = console()
    screen.print(Text.assemble((found.level.value, _COLOURS[found.level.value]), f"  {found.level.words}"))
    screen.print(Text(f"    {found.reason}", "dim"))
    for title, words in (("expected", found.expected_words), ("seen", found.observed_words)):
        if words:
            screen.print(Text.assemble((f"{title:>9}  ", "cyan"), words))
    if found.choice is not None:
        screen.print(
            Text.assemble(("    stack  ", "cyan"), f"{found.choice.stack}: {'; '.join(found.choice.reasons[:4])}")
        )
    for number, entry in enumerate(found.log, start=1):
        words = f'  ← "{" ".join(entry.quotes[0].text.split())[:60]}"' if entry.quotes else ""
        needless = " (not needed in the end)" if entry.needed is False else ""
        head = "   edited" if number == 1 else ""
        screen.print(
            Text.assemble(
                (f"{head:>9}  ", "cyan"), (f"{entry.action.code:<3}", "bold"), f" {entry.why}{needless}", (words, "dim")
            )
        )
    for number, question in enumerate(found.questions):
        screen.print(Text.assemble((f"{'ask' if not number else '':>9}  ", "cyan"), question))
    for remark in found.remarks:
        screen.print(Text(f"     note  {remark}", "yellow"))
    if found.script:
        screen.print(
            Text.assemble(
                ("   script  ", "cyan"), f"{(folder / 'repro.py').as_posix()}   run it: {found.command(folder)}"
            )
        )
    attempts = "1 attempt" if len(found.attempts) == 1 else f"{len(found.attempts)} attempts"
    level = f"sandboxed by {found.isolation}" if found.isolation else "nothing was run"
    ended = f"; {found.stopped}" if found.attempts and found.stopped != "matched" else ""
    screen.print(Text(f"{'':11}{attempts}, {found.seconds:.0f} s, {level}{ended}", "dim"))
