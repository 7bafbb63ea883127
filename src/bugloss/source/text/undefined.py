"""Names that a file uses and nowhere sets: what pasted code expects from outside."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from bugloss.source.text.module import SourceModule

_BUILT_IN = frozenset(dir(builtins))


def undefined_names(module: SourceModule) -> set[str]:
    """Names that are read and bound nowhere in the file, in whatever scope."""
    names = [node for node in module.nodes[ast.Name] if isinstance(node, ast.Name)]
    read = {name.id for name in names if isinstance(name.ctx, ast.Load)}
    stored = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    return read - stored - set(_bound(module)) - _BUILT_IN


def _bound(module: SourceModule) -> Iterator[str]:
    for node in (*module.nodes[ast.Import], *module.nodes[ast.ImportFrom]):
        for alias in getattr(node, "names", ()):
            yield (alias.asname or alias.name).split(".")[0]
    for node in module.nodes[ast.arg]:
        yield getattr(node, "arg", "")
    for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler):
        yield from (getattr(node, "name", None) or "" for node in module.nodes[kind])
