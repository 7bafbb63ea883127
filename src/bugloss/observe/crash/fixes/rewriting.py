"""Edits of calls and expressions that several fixes make."""

from __future__ import annotations

import ast

from bugloss.core.edit import Edit, quoted
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.source.editing import add_argument, replace_node, replace_span
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import chain_text, keyword_of, walk

_LONGEST_SHOWN = 68  # characters; of a longer call only the changed part is shown
_PRIMARY = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Tuple, ast.Dict)


def rewrite(module: SourceModule, node: ast.AST, text: str) -> Edit:
    """Puts a text in a node's place; what a person reads is the whole call around it, where it has one line."""
    call = module.enclosing(node, ast.Call) if not isinstance(node, ast.Call) else node
    if not isinstance(call, ast.Call) or call.lineno != call.end_lineno or call is node:
        shown = replace_node(module, node, text)
        return Edit(f"write {quoted(text)} in line {shown.line}", shown.changes) if call is node else shown
    whole, inner = module.span(call), module.span(node)
    old = module.source.segment(call)
    new = f"{old[: inner.column - whole.column]}{text}{old[inner.end_column - whole.column :]}"
    if len(new) > _LONGEST_SHOWN:
        return replace_node(module, node, text)
    return Edit(f"write {quoted(new)} in line {whole.line}", (replace_span(module, whole, new),))


def pass_argument(module: SourceModule, call: ast.Call, name: str, value: str) -> Edit | None:
    """Passes a keyword argument, in the place of the one that is there."""
    given = keyword_of(call, name)
    return rewrite(module, given, value) if given is not None else add_argument(module, call, f"{name}={value}")


def after(module: SourceModule, node: ast.expr, suffix: str) -> Edit:
    """Adds a method call behind an expression: ``labels`` becomes ``labels.long()``."""
    return rewrite(module, node, f"{operand_text(module, node)}{suffix}")


def operand_text(module: SourceModule, node: ast.expr) -> str:
    """An expression as it can stand before a dot or an operator."""
    text = module.source.segment(node)
    return text if isinstance(node, _PRIMARY) else f"({text})"


def node_called(file: CrashedFile, line: int, name: str) -> ast.expr | None:
    """The first expression of a line that reads as a name does: ``batch``, ``self.words``."""
    statement = file.module.statement(line)
    nodes = walk(statement) if statement is not None else []
    found = [node for node in nodes if isinstance(node, ast.expr) and chain_text(node) == name]
    return min(found, key=lambda node: (node.lineno, node.col_offset), default=None)


def keras_name(module: SourceModule) -> str:
    """Keras as the program can write it: ``keras``, ``tf.keras``; empty where it is not imported as a whole."""
    names = {full: short for short, full in module.names.imported.items()}
    tensorflow = names.get("tensorflow", "")
    return names.get("keras") or names.get("tensorflow.keras") or (f"{tensorflow}.keras" if tensorflow else "")


def sibling_name(module: SourceModule, call: ast.Call, name: str) -> str:
    """Another class as the program would write it: ``nn.Flatten`` beside ``nn.Linear``, ``Flatten`` where imported.

    Empty where it would have to be imported first.
    """
    if isinstance(call.func, ast.Attribute):
        return f"{module.source.segment(call.func.value)}.{name}"
    return name if name in module.names.imported else ""
