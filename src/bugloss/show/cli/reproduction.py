"""A reproduction for people, and the files that are left of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.plural import plural
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside

if TYPE_CHECKING:
    from rich.console import Console

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


def show_reproduction(found: Reproduction, folder: Path, screen: Console) -> None:
    """The verdict first, then what was expected and seen, what was edited, and what to ask."""
    show_level(found, screen)
    show_steps(found, folder, screen)


def show_level(found: Reproduction, screen: Console) -> None:
    """The verdict."""
    from rich.text import Text

    screen.print(Text.assemble((found.level.value, _COLOURS[found.level.value]), f"  {found.level.words}"))
    screen.print(Text(f"    {found.reason}", "dim"))


def show_steps(found: Reproduction, folder: Path, screen: Console) -> None:
    """How the reproduction came about, and what is left to do."""
    from bugloss.show.answer.sheet import Sheet

    sheet = Sheet(screen)
    for title, words in (("expected", found.expected_words), ("seen", found.observed_words)):
        if words:
            sheet.entry(title, words)
    if found.choice is not None:
        sheet.entry("stack", f"{found.choice.stack}: {'; '.join(found.choice.reasons[:4])}")
    for number, entry in enumerate(found.log):
        words = f'  ← "{" ".join(entry.quotes[0].text.split())[:60]}"' if entry.quotes else ""
        needless = " (not needed in the end)" if entry.needed is False else ""
        edit = (f"{entry.action.code:<3}", "bold"), f" {entry.why}{needless}", (words, "dim")
        sheet.entry("" if number else "edited", *edit)
    sheet.entries("ask", found.questions)
    sheet.entries("note", found.remarks, "yellow")
    if found.script:
        sheet.entry("script", f"{(folder / 'repro.py').as_posix()}   run it: {found.command(folder)}")
    level = f"sandboxed by {found.isolation}" if found.isolation else "nothing was run"
    ended = f"; {found.stopped}" if found.attempts and found.stopped != "matched" else ""
    attempts = plural(len(found.attempts), "attempt")
    sheet.entry("", (f"{attempts}, {found.seconds:.0f} s, {level}{ended}", "dim"))
