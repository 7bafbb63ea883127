"""What a program does with an array besides giving it to a network: columns it takes, placeholders it feeds."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from bugloss.reproduce.program.draft import parsed


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table that a program takes: how many there must be, one taken alone, and a stretch."""

    width: int
    alone: int | None = None
    stretch: tuple[int, int] | None = None


def columns_of(text: str, name: str) -> Columns | None:
    """How a program takes columns from an array: ``data[:, 1:31]`` and ``data[:, 0]``."""
    tree = parsed(text)
    width, alone, stretch = 0, None, None
    for node in ast.walk(tree) if tree is not None else ():
        if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == name):
            continue
        if not isinstance(node.slice, ast.Tuple) or len(node.slice.elts) != 2:
            continue
        taken = node.slice.elts[1]
        if isinstance(taken, ast.Constant) and isinstance(taken.value, int) and taken.value >= 0:
            alone, width = taken.value, max(width, taken.value + 1)
        elif isinstance(taken, ast.Slice) and (upper := _number(taken.upper)) is not None:
            stretch, width = (_number(taken.lower) or 0, upper), max(width, upper)
    return Columns(width, alone, stretch) if width else None


def _number(node: ast.expr | None) -> int | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


@dataclass(frozen=True, slots=True)
class Fed:
    """The placeholder that an array is fed to: the shape of a row, and whether it takes whole numbers."""

    shape: tuple[int | None, ...]
    whole: bool


def fed_to(text: str, name: str) -> Fed | None:
    """The placeholder under whose key a feed has something of that name: ``{x: x_train[batch]}``."""
    tree = parsed(text)
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.Dict):
            continue
        for key, value in zip(node.keys, node.values, strict=True):
            names = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
            if isinstance(key, ast.Name) and name in names and tree is not None:
                found = _placeholder(tree, key.id)
                if found is not None:
                    return found
    return None


def _placeholder(tree: ast.Module, name: str) -> Fed | None:
    for node in ast.walk(tree):
        made = (
            isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and ast.unparse(node.targets[0]) == name
        )
        if not made or not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        call = node.value
        if not ast.unparse(call.func).endswith("placeholder"):
            continue
        given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "shape")]
        if given and isinstance(given[0], ast.List | ast.Tuple):
            sizes = tuple(_number(one) for one in given[0].elts)
            return Fed(sizes[1:], bool(call.args) and "int" in ast.unparse(call.args[0]))
    return None
