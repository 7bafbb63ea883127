"""Copies one program of a foreign bug into a folder."""

from __future__ import annotations

from pathlib import Path

from bugloss.core.bug import Twin
from bugloss.core.foreign_bug import ForeignBug, ForeignSource
from bugloss.core.written_file import lay_out, refuse_used_folder
from bugloss.workflows.foreign_programs import program_files


def checkout_foreign(source: ForeignSource, bug: ForeignBug, twin: Twin, target: Path) -> list[str]:
    """The program, and what its benchmark says of packages and report where it has no file of that name."""
    refuse_used_folder(target)
    content = program_files(source, bug, twin)
    if bug.requirements:
        content.setdefault("requirements.txt", ("\n".join(bug.requirements) + "\n").encode())
    if bug.report:
        content.setdefault("report.md", bug.report.encode())
    return lay_out(target, content)
