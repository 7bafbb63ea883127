"""Python text to a syntax tree: the one door for text that somebody else wrote."""

from __future__ import annotations

import ast
import re
import warnings

# From so many digits on, Python refuses to write a whole number in decimal, and whoever tries gets an exception.
_LONG_NUMBER = re.compile(r"0[xXoObB][0-9a-fA-F_]{3000}")
_MOST_BITS = 10_000


def parse_python(text: str) -> ast.Module:
    """The tree of a text. Whatever is wrong with it (null bytes, half surrogates, depth) is a ``SyntaxError``.

    A hexadecimal, octal or binary number that cannot be written in decimal becomes ``...``: nothing computes with it.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError:
        raise
    except (RecursionError, MemoryError):
        raise SyntaxError("nested too deeply") from None
    except ValueError as error:
        raise SyntaxError(str(error)) from None
    if _LONG_NUMBER.search(text):
        _leave_out_long_numbers(tree)
    return tree


def imported_modules(tree: ast.Module) -> set[str]:
    """The outermost names of everything that a program imports, but for its own package."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def _leave_out_long_numbers(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value.bit_length() > _MOST_BITS:
            node.value = ...
