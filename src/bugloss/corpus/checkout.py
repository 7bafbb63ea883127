"""Copies one program of a bug out of the corpus, with nothing that gives the fix away."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from bugloss.core.bug import Twin
from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import read_bytes
from bugloss.core.written_file import lay_out, refuse_used_folder
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import bug_files


def checkout(entry: Entry, twin: Twin, target: Path) -> list[str]:
    """Lays out program, report, test and requirements in a new or empty folder; returns the names.

    What stays behind: the other program, ``bug.toml`` (its labels name the fix), notes and ledgers.
    """
    refuse_used_folder(target)
    return lay_out(target, checkout_files(entry, twin))


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
