"""Writes what a verb made to the file that was asked for, or to standard output."""

from __future__ import annotations

import sys
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.whole_file import write_whole
from bugloss.show.cli.output import print_json


def write_text(text: str, target: Path | None) -> None:
    """To the target, or to standard output where there is none."""
    if target is None:
        sys.stdout.write(text)
        return
    try:
        write_whole(target, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise InvalidInput(f"{target} cannot be written: {error.strerror}.") from error


def write_export(facts: dict[str, object], text: str, target: Path | None, json: bool) -> None:
    """An exported file as text, or with ``--json`` as the document ``bugloss.export/1``."""
    if target is not None or not json:
        write_text(text, target)
    if json:
        print_json("export", {**facts, "output": target, "text": text})
