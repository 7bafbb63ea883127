"""A user's script and the files around it, ready to be laid out in the sandbox."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bugloss.core.errors import FileRefused, InvalidInput
from bugloss.core.foreign_file import LARGEST_TEXT, ForeignFile
from bugloss.core.foreign_folder import content_of
from bugloss.core.named_file import read_named_text
from bugloss.core.python_text import imported_modules, parse_python
from bugloss.source.text.source_file import Skipped

_STACKS = {"torch": "torch", "torchvision": "torch", "keras": "keras3", "tensorflow": "tf2"}
_LEFT_ALONE = {"__pycache__", "node_modules", "venv", "env", "site-packages"}
_MOST_FILES, _MOST_BYTES = 5_000, 200_000_000


def stack_for(source: str) -> str:
    """The stack whose framework the script imports."""
    imported = imported_modules(parse_python(source))
    for package, stack in _STACKS.items():
        if package in imported:
            return stack
    raise InvalidInput(
        "the script imports neither torch nor keras nor tensorflow.", hint="Name the stack to run it in: --stack torch"
    )


def read_script(script: Path) -> str:
    try:
        source = read_named_text(script, LARGEST_TEXT)
        parse_python(source)
    except FileRefused:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InvalidInput(f"{script} is no Python that can be read: {error}.") from error
    return source


def files_of(script: Path) -> tuple[dict[str, Path | ForeignFile], tuple[Skipped, ...]]:
    """The script's folder: code first, then the smallest files, as far as the limits allow.

    The script may be a link, for the user named it; of what lies beside it, links that lead elsewhere stay behind.
    """
    found = content_of(script.parent, skip=_is_left_out, most_files=10 * _MOST_FILES, most_bytes=sys.maxsize)
    skipped = [Skipped(left.name, left.why) for left in found.left_alone]
    real = script.resolve()
    laid_out: dict[str, Path | ForeignFile] = {script.name: ForeignFile(real.parent, real.name)}
    total = 0
    for file, size in sorted(found.files, key=lambda entry: (not entry[0].name.endswith(".py"), entry[1])):
        if len(laid_out) >= _MOST_FILES or total + size > _MOST_BYTES:
            skipped.append(Skipped(file.name, "too much to copy into the sandbox"))
        elif file.name not in laid_out:
            total += size
            laid_out[file.name] = ForeignFile(file.root, file.name, _MOST_BYTES)
    return laid_out, tuple(skip for skip in skipped if skip.path != script.name)[:20]


def _is_left_out(entry: os.DirEntry[str]) -> bool:
    hidden = entry.name in _LEFT_ALONE or entry.name.startswith(".")
    return hidden and entry.is_dir(follow_symlinks=False)
