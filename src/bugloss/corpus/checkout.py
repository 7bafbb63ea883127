"""Copies one program of a bug out of the corpus, with nothing that gives the fix away."""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path

from bugloss.core.bug import Twin
from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import read_bytes
from bugloss.core.written_file import write_inside
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import bug_files


def checkout(entry: Entry, twin: Twin, target: Path) -> list[str]:
    """Lays out program, report, test and requirements in a new or empty folder; returns the names.

    What stays behind: the other program, ``bug.toml`` (its labels name the fix), notes and ledgers.
    """
    if target.is_symlink():
        raise InvalidInput(f"{target} is a link, not a folder.", hint="Pass the folder itself with -w.")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InvalidInput(f"{target} exists and is not an empty folder.", hint="Choose another folder with -w.")
    laid_out = checkout_files(entry, twin)
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, content in laid_out.items():
            write_inside(target, name, content)
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        raise InvalidInput(f"{target} cannot be written: {error.strerror}.") from error
    return sorted(laid_out)


def checkout_files(entry: Entry, twin: Twin) -> dict[str, bytes]:
    """What a checkout contains, by name."""
    program = entry.program(twin)
    content = {file.name: file.read_bytes() for file, _ in bug_files(program).files}
    content["test.py"] = entry.test_file.read_bytes()
    content["report.md"] = read_bytes(entry.bug.folder, "report.md")
    if entry.bug.entry not in content:
        raise InvalidInput(f"{program} lacks the program {entry.bug.entry}.", hint=f"bugloss lint {entry.id}")
    content["oracle.py"] = (files("bugloss.probes") / "oracle.py").read_bytes()
    content["requirements.txt"] = ("\n".join(entry.stack.packages) + "\n").encode()
    return content
