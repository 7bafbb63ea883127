"""A user's script and the files around it, ready to be laid out in the sandbox."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import FileRefused, InvalidInput
from bugloss.core.foreign_file import LARGEST_TEXT, ForeignFile, read_text
from bugloss.core.foreign_folder import content_of
from bugloss.core.named_file import read_named, read_named_text
from bugloss.core.python_text import parse_python
from bugloss.source.text.source_file import LARGEST_NOTEBOOK_BYTES, Skipped, SourceFile, parse_notebook

_LEFT_ALONE = {"__pycache__", "node_modules", "venv", "env", "site-packages"}
_MOST_FILES, _MOST_BYTES = 5_000, 200_000_000
_MOST_MODULES = 200


@dataclass(frozen=True, slots=True)
class ProgramText:
    """The sources of a program: the script and the modules beside it that it imports, and what they import besides."""

    sources: tuple[str, ...]
    imports: frozenset[str]  # the packages
    modules: frozenset[str] = frozenset()  # the same with dots, as they are written


def read_program(script: Path, root: Path | None = None) -> ProgramText:
    """Follows imports from the script to modules of its folder; the others are left to the environment."""
    sources = [read_script(script)]
    imports: set[str] = set()
    modules: set[str] = set()
    seen: set[str] = set()
    for source in sources:
        for name in _imports(parse_python(source)):
            inside = list(_files_of_module(root or script.parent, name))
            if not inside:
                imports.add(name.split(".")[0])
                modules.add(name)
            for file in inside:
                if file.name not in seen and len(seen) < _MOST_MODULES:
                    seen.add(file.name)
                    sources += _readable(file)
    return ProgramText(tuple(sources), frozenset(imports), frozenset(modules))


def find_module(name: str) -> Path:
    """The file that ``python -m NAME`` starts, seen from the current folder."""
    stem = Path(*name.split("."))
    for path in (stem / "__main__.py", stem.with_suffix(".py")):
        if path.is_file():
            return path
    raise InvalidInput(
        f"there is no module {name} in this folder.", hint="Change to the folder that contains its package."
    )


def _files_of_module(root: Path, name: str) -> Iterator[ForeignFile]:
    """The files that importing a module of the program runs: the packages around it and itself."""
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        stem = "/".join(parts[:length])
        for path in (f"{stem}/__init__.py", f"{stem}.py"):
            if (root / path).is_file():
                yield ForeignFile(root, path)
                break


def _readable(file: ForeignFile) -> list[str]:
    """A module that is not Python, or outside the folder, does not count for what the program needs."""
    try:
        source = read_text(file.root, file.name, LARGEST_TEXT)
        parse_python(source)
    except (FileRefused, SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [source]


def read_script(script: Path) -> str:
    """Its text; of a notebook its code cells, one after the other, without magics and shell lines."""
    if is_notebook(script.name):
        return read_notebook(script).text
    try:
        source = read_named_text(script, LARGEST_TEXT)
        parse_python(source)
    except FileRefused:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise InvalidInput(f"{script}{line}: not valid Python: {reason}.") from error
    return source


def is_notebook(name: str) -> bool:
    return name.endswith(".ipynb")


def read_notebook(script: Path) -> SourceFile:
    source = parse_notebook(read_named(script, LARGEST_NOTEBOOK_BYTES), script.as_posix())
    if isinstance(source, Skipped):
        raise InvalidInput(f"{script} cannot be run: {source.reason}.")
    return source


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def files_of(script: Path, root: Path | None = None) -> tuple[dict[str, Path | ForeignFile], tuple[Skipped, ...]]:
    """The script's folder: code first, then the smallest files, as far as the limits allow.

    The script may be a link, for the user named it; of what lies beside it, links that lead elsewhere stay behind.
    """
    folder = root or script.parent
    entry = script.relative_to(folder).as_posix()
    found = content_of(folder, skip=_is_left_out, most_files=10 * _MOST_FILES, most_bytes=sys.maxsize)
    skipped = [Skipped(left.name, left.why) for left in found.left_alone]
    real = script.resolve()
    laid_out: dict[str, Path | ForeignFile] = {entry: ForeignFile(real.parent, real.name)}
    total = 0
    for file, size in sorted(found.files, key=lambda entry: (not entry[0].name.endswith(".py"), entry[1])):
        if len(laid_out) >= _MOST_FILES or total + size > _MOST_BYTES:
            skipped.append(Skipped(file.name, "too large to copy into the sandbox"))
        elif file.name not in laid_out:
            total += size
            laid_out[file.name] = ForeignFile(file.root, file.name, _MOST_BYTES)
    return laid_out, tuple(skip for skip in skipped if skip.path != entry)[:20]


def _is_left_out(entry: os.DirEntry[str]) -> bool:
    hidden = entry.name in _LEFT_ALONE or entry.name.startswith(".")
    return hidden and entry.is_dir(follow_symlinks=False)
