"""A fix as a change of syntax: which calls, arguments, operators and settings go and come, and where.

Names of the program are left out, names of libraries stay, so that the same fix in two programs has the same shape.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bugloss.core.python_text import parse_python


@dataclass(frozen=True, slots=True)
class FixShape:
    """What goes (``-``) and what comes (``+``), and what stands around it."""

    change: Counter[str]
    context: Counter[str]


def fix_shape(before: Mapping[str, str], after: Mapping[str, str]) -> FixShape:
    """The shape of a change of some files; of files that are not Python there is none."""
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    old, new = (_statements({name: side[name] for name in changed if name in side}) for side in (before, after))
    gone, come = old - new, new - old
    removed, added = _parts(gone), _parts(come)
    change = Counter({f"-{part}": count for part, count in (removed - added).items()})
    change.update({f"+{part}": count for part, count in (added - removed).items()})
    return FixShape(change, Counter(part for part in removed & added))


def _statements(files: Mapping[str, str]) -> Counter[str]:
    """Every statement without its body, as text."""
    found: Counter[str] = Counter()
    for name, text in files.items():
        try:
            tree = parse_python(text) if name.endswith(".py") else ast.Module([], [])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        found.update(_header(node) for node in ast.walk(tree) if isinstance(node, ast.stmt))
    return found


def _header(statement: ast.stmt) -> str:
    """A compound statement up to its colon; a simple one whole."""
    if not hasattr(statement, "body"):
        return ast.unparse(statement)
    fields: dict[str, Any] = dict(ast.iter_fields(statement))
    fields |= {name: [] for name in ("orelse", "handlers", "finalbody") if name in fields}
    without_body = type(statement)(**{**fields, "body": [ast.Pass()]})
    return ast.unparse(ast.copy_location(without_body, statement)).partition("\n")[0]


def _parts(statements: Counter[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for text, count in statements.items():
        for part in _parts_of(text):
            found[part] += count
    return found


def _parts_of(text: str) -> Iterator[str]:
    try:
        tree = parse_python(text + " pass" if text.endswith(":") else text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        match node:
            case ast.Call():
                name = _last(node.func)
                yield f"call {name}"
                yield from (f"argument {name}.{at}={_kind(value)}" for at, value in enumerate(node.args))
                yield from (f"argument {name}.{word.arg}={_kind(word.value)}" for word in node.keywords)
            case ast.BinOp() | ast.UnaryOp():
                yield f"operator {type(node.op).__name__}"
            case ast.Compare():
                yield from (f"operator {type(op).__name__}" for op in node.ops)
            case ast.Subscript():
                yield f"index {_kind(node.slice)}"
            case ast.Import() | ast.ImportFrom():
                yield from (f"import {alias.name}" for alias in node.names)
            case ast.For() | ast.While() | ast.If() | ast.With() | ast.Return() | ast.FunctionDef() | ast.ClassDef():
                yield f"statement {type(node).__name__}"


def _kind(node: ast.expr) -> str:
    """A value as far as programs share it: a text, a flag, the name of a call, or what kind of thing it is."""
    if isinstance(node, ast.Constant):
        return repr(node.value)[:40] if isinstance(node.value, str | bool) or node.value is None else "number"
    if isinstance(node, ast.UnaryOp):
        return _kind(node.operand)
    return f"{_last(node.func)}()" if isinstance(node, ast.Call) else type(node).__name__.lower()


def _last(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else "?"
