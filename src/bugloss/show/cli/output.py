"""Results go to standard output, everything else to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bugloss.core.visible import json_text
from bugloss.show.json_document import plain_document

if TYPE_CHECKING:
    from rich.console import Console


def print_json(name: str, document: dict[str, object]) -> None:
    """One document of the schema ``bugloss.<name>/1``, valid JSON also where a loss was NaN."""
    data = plain_document(name, document)
    unicode = "utf" in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    print(json_text(data, 1 if sys.stdout.isatty() else None, ascii_only=not unicode))


def is_silent(quiet: bool, json: bool) -> bool:
    """Whether a verb leaves out its progress: with --json it does, unless BUGLOSS_PROGRESS asks for it, as jobs do."""
    return quiet or (json and not os.environ.get("BUGLOSS_PROGRESS"))


def console() -> Console:
    """For results: coloured on a terminal and as wide as it is; elsewhere plain."""
    from bugloss.show.cli.quoting_console import QuotingConsole
    from bugloss.show.cli.terminal import width

    return QuotingConsole(width=width(elsewhere=160))


def error_console() -> Console:
    """For progress and remarks."""
    from bugloss.show.cli.quoting_console import QuotingConsole

    return QuotingConsole(stderr=True)


@contextmanager
def spinner(quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Shows the latest remark of a long piece of work; on a plain stream each remark is a line."""
    if quiet:
        yield lambda text: None
        return
    terminal = error_console()
    if not terminal.is_terminal:
        yield lambda text: terminal.print(text, soft_wrap=True)
        return
    from rich.live import Live
    from rich.spinner import Spinner
    from rich.text import Text

    turning = Spinner("dots", Text("…"), style="status.spinner")
    # What others print meanwhile is not redirected: rich would read codes in it as styles.
    with Live(turning, console=terminal, transient=True, redirect_stdout=False, redirect_stderr=False):
        yield lambda text: turning.update(text=Text(text))
