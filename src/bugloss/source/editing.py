"""Edits of a program at its nodes: what is not changed keeps its layout and its comments."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from bugloss.core.edit import Edit, Span, TextChange, quoted
from bugloss.source.text.module import SourceModule


def replace_span(module: SourceModule, span: Span, new: str) -> TextChange:
    """A change of a stretch of a file."""
    return TextChange(module.path, span, _read(module, span), new)


def replace_node(module: SourceModule, node: ast.AST, new: str) -> Edit:
    """Puts a text in a node's place."""
    return Edit.of(replace_span(module, module.span(node), new))


def swap_nodes(module: SourceModule, first: ast.expr, second: ast.expr) -> Edit:
    """Lets two expressions change places."""
    texts = module.source.segment(first), module.source.segment(second)
    words = f"swap {quoted(texts[0])} and {quoted(texts[1])} in line {first.lineno}"
    changes = replace_span(module, module.span(first), texts[1]), replace_span(module, module.span(second), texts[0])
    return Edit(words, changes)


def insert_before(module: SourceModule, statement: ast.stmt, text: str) -> Edit:
    """Puts a line before a statement, at its indentation."""
    at = module.span(statement).start
    indentation = module.source.lines[at.line - 1][: at.column]
    # After a colon or a semicolon the statement has no line of its own.
    between = f"\n{indentation}" if not indentation.strip() else "; "
    words = f"insert {quoted(text)} before {quoted(module.source.segment(statement))} in line {at.line}"
    return Edit(words, (TextChange(module.path, at, "", f"{text}{between}"),))


def insert_after(module: SourceModule, statement: ast.stmt, text: str) -> Edit:
    """Puts a line after a statement, at its indentation."""
    span = module.span(statement)
    words = f"insert {quoted(text)} after {quoted(module.source.segment(statement))} in line {span.line}"
    indentation = module.source.lines[span.line - 1][: span.column]
    between = f"\n{indentation}" if not indentation.strip() else "; "
    return Edit(words, (TextChange(module.path, span.end, "", f"{between}{text}"),))


def move_before(module: SourceModule, statement: ast.stmt, before: ast.stmt) -> Edit:
    """Moves a statement to the line before another one."""
    return _moved(module, statement, insert_before(module, before, module.source.segment(statement)), before, "before")


def move_after(module: SourceModule, statement: ast.stmt, after: ast.stmt) -> Edit:
    """Moves a statement to the line after another one."""
    return _moved(module, statement, insert_after(module, after, module.source.segment(statement)), after, "after")


def _moved(module: SourceModule, statement: ast.stmt, inserted: Edit, other: ast.stmt, word: str) -> Edit:
    moved, anchor = quoted(module.source.segment(statement)), quoted(module.source.segment(other))
    words = f"move {moved} from line {statement.lineno} to {word} {anchor} in line {other.lineno}"
    return Edit(words, delete_statement(module, statement).changes + inserted.changes)


def add_argument(module: SourceModule, call: ast.Call, argument: str) -> Edit | None:
    """Passes one more argument; None after a trailing comma, which may be a comment's."""
    text = module.source.segment(call)
    if text[:-1].rstrip().endswith(","):
        return None
    span = module.span(call)
    at = Span(span.end_line, span.end_column - 1, span.end_line, span.end_column - 1)
    words = f"add {quoted(argument)} to {quoted(text)} in line {span.line}"
    new = f", {argument}" if call.args or call.keywords else argument
    return Edit(words, (TextChange(module.path, at, "", new),))


def remove_argument(module: SourceModule, call: ast.Call, argument: ast.expr | ast.keyword) -> Edit:
    """Leaves out an argument of a call, with the comma that goes with it; the same for an element of a list."""
    arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    arguments.sort(key=lambda one: (one.lineno, one.col_offset))
    return remove_element(module, arguments, argument)


def remove_element(module: SourceModule, elements: list[ast.expr | ast.keyword], element: ast.AST) -> Edit:
    """Leaves out one of several expressions between commas."""
    spans = [module.span(one) for one in elements]
    at = next(index for index, one in enumerate(elements) if one is element)
    span = spans[at]
    if at + 1 < len(spans):
        gone = Span(span.line, span.column, spans[at + 1].line, spans[at + 1].column)
    elif at:
        gone = Span(spans[at - 1].end_line, spans[at - 1].end_column, span.end_line, span.end_column)
    else:
        gone = span
    words = f"remove {quoted(_read(module, span))} in line {span.line}"
    return Edit(words, (replace_span(module, gone, ""),))


def call_on(module: SourceModule, node: ast.expr, call: str) -> Edit:
    """Calls a method of an expression, ``x`` becomes ``x.long()``; in brackets where it has operators."""
    text = module.source.segment(node)
    simple = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return replace_node(module, node, f"{text if simple else f'({text})'}.{call}")


def replace_last_word(module: SourceModule, node: ast.Attribute, new: str) -> Edit:
    """Changes the last word of a dotted name."""
    span = module.span(node)
    return Edit.of(
        replace_span(module, Span(span.end_line, span.end_column - len(node.attr), span.end_line, span.end_column), new)
    )


def rename_keyword(module: SourceModule, keyword: ast.keyword, new: str) -> Edit:
    """Passes an argument under another name."""
    start = module.span(keyword)
    at = Span(start.line, start.column, start.line, start.column + len(keyword.arg or ""))
    return Edit.of(replace_span(module, at, new))


def delete_statement(module: SourceModule, statement: ast.stmt) -> Edit:
    """Removes a statement with its line; where something must stay there, ``pass`` does."""
    span = module.span(statement)
    before = module.source.lines[span.line - 1][: span.column]
    after = module.source.lines[span.end_line - 1][span.end_column :].strip()
    blocks = [getattr(module.parents.get(statement), name, None) for name in ("body", "orelse", "finalbody")]
    words = f"remove {quoted(module.source.segment(statement))} in line {span.line}"
    if before.strip() or (after and not after.startswith("#")) or [statement] in blocks:
        return Edit(words, (replace_span(module, span, "pass"),))
    return Edit(words, (replace_span(module, Span(span.line, 0, span.end_line + 1, 0), ""),))


def unwrap_call(module: SourceModule, call: ast.Call) -> Edit:
    """Puts the first argument of a call, or what its method was called on, in the place of the call."""
    inner = call.args[0] if call.args else call.func.value if isinstance(call.func, ast.Attribute) else call
    words = f"remove {quoted(_without(module, call, inner))} in line {call.lineno}"
    return Edit(words, (replace_span(module, module.span(call), module.source.segment(inner)),))


def _without(module: SourceModule, call: ast.Call, inner: ast.expr) -> str:
    """What goes when only the inner expression stays: ``torch.sigmoid`` of ``torch.sigmoid(x)``, ``.item()``."""
    if inner in call.args:
        return module.source.segment(call.func)
    return module.source.segment(call)[len(module.source.segment(inner)) :]


def _read(module: SourceModule, span: Span) -> str:
    lines = list(module.source.lines[span.line - 1 : span.end_line])
    if span.end_line > len(module.source.lines):
        lines.append("")
    lines[-1] = lines[-1][: span.end_column]
    lines[0] = lines[0][span.column :]
    return "\n".join(lines)


def swap_with_receiver(module: SourceModule, call: ast.Call) -> Edit | None:
    """``a.f(…).g(…)`` becomes ``a.g(…).f(…)``; None where the call is not made on another one's result."""
    inner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if not isinstance(inner, ast.Call) or not isinstance(inner.func, ast.Attribute):
        return None
    base, first, whole = (module.source.segment(node) for node in (inner.func.value, inner, call))
    before, after = first[len(base) :], whole[len(first) :]
    words = f"write {quoted(after.strip())} before {quoted(before.strip())} in line {call.lineno}"
    return Edit(words, (replace_span(module, module.span(call), f"{base}{after}{before}"),))


def insert_block_after(module: SourceModule, statement: ast.stmt, lines: Sequence[str]) -> Edit:
    """Puts several lines after a statement, each at its indentation and its own beyond it."""
    span = module.span(statement)
    indentation = module.source.lines[span.line - 1][: span.column]
    words = f"insert {quoted(lines[0])} after {quoted(module.source.segment(statement))} in line {span.line}"
    text = "".join(f"\n{indentation}{line}" for line in lines)
    return Edit(words, (TextChange(module.path, span.end, "", text),))
