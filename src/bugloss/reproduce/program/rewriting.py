"""Edits of a program's text by LibCST: what is not touched keeps its comments and layout.

Places are given as ``ast`` counts them: lines from 1, and nodes of a tree of the same text.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import takewhile
from typing import Any

from bugloss.core.python_text import parse_python

_Change = Callable[[Any, Any, Any], Any]


def insert_before(text: str, line: int, code: str) -> str:
    """The code as statements of their own before the statement that begins on a line."""
    return _around(text, line, lambda new, old: [*new, old], code)


def insert_after(text: str, line: int, code: str) -> str:
    """The code as statements of their own after the statement that begins on a line."""
    return _around(text, line, lambda new, old: [old, *new], code)


def replace_statement(text: str, line: int, code: str) -> str:
    """The statement that begins on a line replaced; no code takes it away, leaving ``pass`` where one is needed."""
    if code.strip():
        return _around(text, line, lambda new, old: new, code)
    tree = parse_python(text)
    alone = any(
        len(body) == 1 and isinstance(body[0], ast.stmt) and body[0].lineno == line
        for node in ast.walk(tree)
        if not isinstance(node, ast.Module)
        for body in (getattr(node, name, None) for name in ("body", "orelse", "finalbody"))
        if isinstance(body, list)
    )
    return _around(text, line, lambda new, old: new if alone else [], "pass")


def insert_on_top(text: str, code: str) -> str:
    """The code before the first statement, but behind the docstring and imports from ``__future__``."""
    body = parse_python(text).body
    first = must_stay_first(body)
    if len(first) < len(body):
        return insert_before(text, body[len(first)].lineno, code)
    behind = first[-1].lineno if first else 0
    return insert_after(text, behind, code) if behind else f"{code}\n{text}" if text.strip() else code


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
    import libcst as cst

    start, end = _position(text, node)
    done = False

    def change(original: Any, updated: Any, place: Any) -> Any:
        nonlocal done
        if done or not isinstance(original, cst.BaseExpression) or not _is_at(place, start, end):
            return updated
        done = True
        return cst.parse_expression(code)

    return _rewritten(text, change)


def set_keyword(text: str, call: ast.Call, keyword: str, code: str | None) -> str:
    """A keyword argument of a call set, or taken away where the code is None."""
    import libcst as cst

    def change(arguments: list[Any]) -> list[Any]:
        kept = [one for one in arguments if one.keyword is None or one.keyword.value != keyword]
        if code is None:
            return [*kept[:-1], kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)] if kept else []
        new = cst.Arg(cst.parse_expression(code), keyword=cst.Name(keyword), equal=_tight_equal(cst))
        places = [at for at, one in enumerate(arguments) if one.keyword is not None and one.keyword.value == keyword]
        if places:
            return [new.with_changes(comma=one.comma) if at == places[0] else one for at, one in enumerate(arguments)]
        return [*arguments, new]

    return _with_arguments(text, call, change)


def rename_keyword(text: str, call: ast.Call, keyword: str, name: str) -> str:
    """A keyword argument of a call under another name."""
    import libcst as cst

    def change(arguments: list[Any]) -> list[Any]:
        return [
            one.with_changes(keyword=cst.Name(name))
            if one.keyword is not None and one.keyword.value == keyword
            else one
            for one in arguments
        ]

    return _with_arguments(text, call, change)


def _tight_equal(cst: Any) -> Any:
    return cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def _with_arguments(text: str, call: ast.Call, change: Callable[[list[Any]], list[Any]]) -> str:
    import libcst as cst

    start, end = _position(text, call)

    def visit(original: Any, updated: Any, place: Any) -> Any:
        if isinstance(original, cst.Call) and _is_at(place, start, end):
            return updated.with_changes(args=change(list(updated.args)))
        return updated

    return _rewritten(text, visit)


def _around(text: str, line: int, arrange: Callable[[list[Any], Any], list[Any]], code: str) -> str:
    import libcst as cst

    new, trailing = _statements(code)
    done = False

    def change(original: Any, updated: Any, place: Any) -> Any:
        nonlocal done
        is_statement = isinstance(original, cst.SimpleStatementLine | cst.BaseCompoundStatement)
        if done or not is_statement or place is None or place.start.line != line:
            return updated
        done = True
        if trailing:  # comments behind the last new statement stand before the old one
            updated = updated.with_changes(leading_lines=[*trailing, *updated.leading_lines])
        arranged = arrange(new, updated)
        if arranged and updated not in arranged:  # what stood above a replaced statement stays
            head = arranged[0]
            arranged = [head.with_changes(leading_lines=[*updated.leading_lines, *head.leading_lines]), *arranged[1:]]
        return cst.FlattenSentinel(arranged) if arranged else cst.RemoveFromParent()

    return _rewritten(text, change)


def _statements(code: str) -> tuple[list[Any], list[Any]]:
    """Statements with the comments that stand before the first of them, and the comments behind the last."""
    import libcst as cst

    module = cst.parse_module(code if code.endswith("\n") else f"{code}\n")
    body = list(module.body)
    if body and module.header:
        body[0] = body[0].with_changes(leading_lines=[*module.header, *getattr(body[0], "leading_lines", ())])
    return body, list(module.footer)


def _rewritten(text: str, change: _Change) -> str:
    import libcst as cst
    from libcst.metadata import MetadataWrapper, PositionProvider

    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    places = wrapper.resolve(PositionProvider)

    class Change(cst.CSTTransformer):
        def on_leave(self, original_node: Any, updated_node: Any) -> Any:
            return change(original_node, updated_node, places.get(original_node))

    return wrapper.module.visit(Change()).code


def _position(text: str, node: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    """Start and end of a node in characters; ``ast`` counts bytes."""
    lines = text.split("\n")
    start = (node.lineno, _characters(lines[node.lineno - 1], node.col_offset))
    end_line = node.end_lineno or node.lineno
    return start, (end_line, _characters(lines[end_line - 1], node.end_col_offset or 0))


def _characters(line: str, offset: int) -> int:
    return offset if line.isascii() else len(line.encode()[:offset].decode(errors="ignore"))


def _is_at(place: Any, start: tuple[int, int], end: tuple[int, int]) -> bool:
    return (
        place is not None
        and (place.start.line, place.start.column) == start
        and (place.end.line, place.end.column) == end
    )
