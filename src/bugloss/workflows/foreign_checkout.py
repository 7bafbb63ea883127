"""Copies one program of a foreign bug into a folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from bugloss.core.bug import Twin
from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_bug import ForeignBug, ForeignSource
from bugloss.core.written_file import write_inside
from bugloss.workflows.foreign_programs import program_files


def checkout_foreign(source: ForeignSource, bug: ForeignBug, twin: Twin, target: Path) -> list[str]:
    """The program, and what its benchmark says of packages and report where it has no file of that name."""
    if target.is_symlink() or (target.exists() and (not target.is_dir() or any(target.iterdir()))):
        raise InvalidInput(f"{target} exists and is not an empty folder.", hint="Choose another folder with -w.")
    content = program_files(source, bug, twin)
    if bug.requirements:
        content.setdefault("requirements.txt", ("\n".join(bug.requirements) + "\n").encode())
    if bug.report:
        content.setdefault("report.md", bug.report.encode())
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, part in content.items():
            write_inside(target, name, part)
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        raise InvalidInput(f"{target} cannot be written: {error.strerror}.") from error
    return sorted(content)
