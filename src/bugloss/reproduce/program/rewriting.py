"""Edits of a program's text: what is not touched keeps its comments and layout.

Places are given as ``ast`` counts them: lines from 1, and nodes of a tree of the same text.
"""

from __future__ import annotations

import ast
import re
from itertools import takewhile
from textwrap import indent

from bugloss.core.python_text import parse_python


def insert_before(text: str, line: int, code: str) -> str:
    """The code as statements of their own before the statement that begins on a line, and before its comments."""
    lines, first, _ = _lines_of(text, line)
    while first > 0 and (not lines[first - 1].strip() or lines[first - 1].lstrip().startswith("#")):
        first -= 1
    return _spliced(lines, first, first, code, line)


def insert_after(text: str, line: int, code: str) -> str:
    """The code as statements of their own after the statement that begins on a line."""
    lines, _, end = _lines_of(text, line)
    return _spliced(lines, end, end, code, line)


def replace_statement(text: str, line: int, code: str) -> str:
    """The statement that begins on a line replaced; no code takes it away, leaving ``pass`` where one is needed."""
    lines, first, end = _lines_of(text, line)
    return _spliced(lines, first, end, code if code.strip() or not _stands_alone(text, line) else "pass", line)


def comment_out(text: str, node: ast.stmt, why: str) -> str:
    """A statement as a comment that says why; ``pass`` where the block would be empty without it."""
    lines = text.split("\n")
    said = " ".join(line.strip() for line in lines[node.lineno - 1 : node.end_lineno])
    comment = f"# {said}  {why}"
    return replace_statement(text, node.lineno, "pass" if _stands_alone(text, node.lineno) else comment)


def _lines_of(text: str, line: int) -> tuple[list[str], int, int]:
    """The lines of a text, and where in them the statement around a line begins, decorators included, and ends."""
    lines = text.split("\n")
    covering = [one for one in ast.walk(parse_python(text)) if isinstance(one, ast.stmt) and _covers(one, line)]
    begins = [one for one in covering if line in {one.lineno, first_line(one)}]
    first = min((first_line(one) for one in begins or covering[-1:]), default=line)
    return lines, first - 1, max((one.end_lineno or line for one in begins or covering[-1:]), default=line)


def _covers(statement: ast.stmt, line: int) -> bool:
    return first_line(statement) <= line <= (statement.end_lineno or line)


def first_line(statement: ast.stmt) -> int:
    """The line on which a statement begins; that of its first decorator, where it has any."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])


def _spliced(lines: list[str], first: int, end: int, code: str, line: int) -> str:
    depth = re.match(r"\s*", lines[min(line, len(lines)) - 1])
    new = indent(code.strip("\n"), depth[0] if depth else "").split("\n") if code.strip() else []
    return "\n".join([*lines[:first], *new, *lines[end:]])


def _stands_alone(text: str, line: int) -> bool:
    """Whether the statement on a line is all that a block has in it."""
    inner = (node for node in ast.walk(parse_python(text)) if not isinstance(node, ast.Module))
    bodies = (getattr(node, name, None) for node in inner for name in ("body", "orelse", "finalbody"))
    return any(isinstance(body, list) and len(body) == 1 and body[0].lineno == line for body in bodies)


def insert_on_top(text: str, code: str) -> str:
    """The code before the first statement, but behind the docstring and imports from ``__future__``."""
    body = parse_python(text).body
    first = must_stay_first(body)
    if first:
        return insert_after(text, first[-1].lineno, code)
    return insert_before(text, body[0].lineno, code) if body else f"{code}\n{text}" if text.strip() else code


def insert_import(text: str, code: str) -> str:
    """An import behind the imports that the program opens with, or on top."""
    last = 0
    for statement in parse_python(text).body:
        if isinstance(statement, ast.Import | ast.ImportFrom) or _must_stay_first(statement):
            last = statement.lineno if not _must_stay_first(statement) else last
        elif last or not isinstance(statement, ast.Expr):
            break
    return insert_after(text, last, code) if last else insert_on_top(text, code)


def must_stay_first(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that a file begins with and that no code may stand before: docstring, imports of the future."""
    return list(takewhile(_must_stay_first, body))


def _must_stay_first(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def replace_expression(text: str, node: ast.expr, code: str) -> str:
    """An expression replaced."""
    start, end = _span(text, node)
    return text[:start] + code + text[end:]


def set_keyword(text: str, call: ast.Call, keyword: str, code: str | None) -> str:
    """A keyword argument of a call set, or taken away where the code is None."""
    given = next((one for one in call.keywords if one.arg == keyword), None)
    if given is None:
        return text if code is None else _with_argument(text, call, f"{keyword}={code}")
    start, end = _span(text, given)
    if code is not None:
        return f"{text[:start]}{keyword}={code}{text[end:]}"
    before = text[:start].rstrip()
    if before.endswith(","):
        return before[:-1] + text[end:]
    return text[:start] + re.sub(r"^\s*,\s*", "", text[end:])


def rename_keyword(text: str, call: ast.Call, keyword: str, name: str) -> str:
    """A keyword argument of a call under another name."""
    for one in call.keywords:
        if one.arg == keyword:
            start, _ = _span(text, one)
            return text[:start] + name + text[start + len(keyword) :]
    return text


def _with_argument(text: str, call: ast.Call, argument: str) -> str:
    """A call with one more argument behind its last one."""
    end = _span(text, call)[1] - 1
    given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    last = max((_span(text, one)[1] for one in given), default=None)
    if last is None:
        return text[:end] + argument + text[end:]
    brackets = re.match(r"[\s)]*\)", text[last:end])  # around the last argument itself
    at = last + (brackets.end() if brackets else 0)
    return f"{text[:at]}, {argument}{text[at:]}"


def _span(text: str, node: ast.expr | ast.keyword) -> tuple[int, int]:
    """Where a node begins and ends in a text; ``ast`` counts bytes."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def place(line: int, offset: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:offset].decode(errors="ignore"))

    return place(node.lineno, node.col_offset), place(node.end_lineno or node.lineno, node.end_col_offset or 0)
