"""A user's script and the files around it, ready to be laid out in the sandbox."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

from bugloss.check.source import Skipped
from bugloss.core.errors import InvalidInput
from bugloss.core.python_text import parse_python

_STACKS = {"torch": "torch", "torchvision": "torch", "keras": "keras3", "tensorflow": "tf2"}
_LEFT_ALONE = {"__pycache__", "node_modules", "venv", "env", "site-packages"}
_MOST_FILES, _MOST_BYTES = 5_000, 200_000_000


def stack_for(source: str) -> str:
    """The stack whose framework the script imports."""
    imported = set(_imports(parse_python(source)))
    for package, stack in _STACKS.items():
        if package in imported:
            return stack
    raise InvalidInput(
        "the script imports neither torch nor keras nor tensorflow.", hint="Name the stack to run it in: --stack torch"
    )


def read_script(script: Path) -> str:
    try:
        source = script.read_text(encoding="utf-8")
        parse_python(source)
    except OSError as error:
        raise InvalidInput(f"{script} cannot be read: {error.strerror}.") from error
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InvalidInput(f"{script} is no Python that can be read: {error}.") from error
    return source


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def files_of(script: Path) -> tuple[dict[str, Path], tuple[Skipped, ...]]:
    """The script's folder: code first, then the smallest files, as far as the limits allow."""
    folder = script.parent
    found = sorted(_below(folder), key=lambda entry: (entry[0] != script, entry[0].suffix != ".py", entry[1]))
    laid_out: dict[str, Path] = {}
    skipped, total = [], 0
    for path, size in found:
        name = path.relative_to(folder).as_posix()
        if len(laid_out) >= _MOST_FILES or total + size > _MOST_BYTES:
            skipped.append(Skipped(name, "too much to copy into the sandbox"))
            continue
        total += size
        laid_out[name] = path
    return laid_out, tuple(skipped[:20])


def _below(folder: Path) -> Iterator[tuple[Path, int]]:
    for top, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _LEFT_ALONE and not name.startswith(".")]
        for path in (Path(top, name) for name in names):
            if path.is_file():
                yield path, path.stat().st_size
