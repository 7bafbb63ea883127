"""Starts a new bug: a folder that already lints but for the words its author has to write."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from bugloss.core.bug import Bug, Framework
from bugloss.core.errors import InvalidInput
from bugloss.core.written_file import write_inside
from bugloss.corpus.bug_writing import bug_toml

PLACEHOLDER = "FILL IN"


def scaffold(name: str, folder: Path, framework: Framework, stack: str) -> list[str]:
    """Writes the template of a bug into a new folder; returns the names of the files."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise InvalidInput(f"'{name}' is not a valid bug name.", hint="Use lower-case letters, digits and hyphens.")
    if folder.exists():
        raise InvalidInput(f"{folder} already exists.", hint="Choose another name, or remove the folder.")
    template = files("bugloss.corpus") / "template"
    written = []
    try:
        for source in ("bug.toml", "report.md", "original.md", "test.py", "program.py"):
            text = (template / source).read_text(encoding="utf-8")
            text = text.replace("{name}", name).replace("{framework}", framework.value).replace("{stack}", stack)
            targets = ["buggy/program.py", "fixed/program.py"] if source == "program.py" else [source]
            for target in targets:
                (folder / target).parent.mkdir(parents=True, exist_ok=True)
                (folder / target).write_text(text, encoding="utf-8")
                written.append(target)
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be written: {error.strerror}.") from error
    return written


def scaffold_upstream(folder: Path, bug: Bug, program: str) -> None:
    """Writes a new upstream bug: what is known of it, its program, and a test; what is not known is to be filled in."""
    template = files("bugloss.corpus") / "template"
    replaced = {"{framework}": bug.framework.value, "{module}": bug.entry.removesuffix(".py")}
    texts = {"bug.toml": bug_toml(bug), f"program/{bug.entry}": program}
    for name, source in {"report.md": "report.md", "original.md": "original.md", "test.py": "upstream_test.py"}.items():
        texts[name] = (template / source).read_text(encoding="utf-8")
        for mark, text in replaced.items():
            texts[name] = texts[name].replace(mark, text)
    try:
        folder.mkdir(parents=True)
        for name, text in texts.items():
            write_inside(folder, name, text)
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be written: {error.strerror}.") from error


def next_id(framework: Framework, taken: list[str]) -> str:
    """The next permanent id of a framework: one above the highest ever given out."""
    return next_id_after(framework.prefix, taken)


def next_id_after(prefix: str, taken: list[str]) -> str:
    """The next id with a prefix."""
    given = re.compile(rf"{prefix}-(\d{{4,}})")
    numbers = [int(match[1]) for match in map(given.fullmatch, taken) if match]
    return f"{prefix}-{max(numbers, default=0) + 1:04d}"
