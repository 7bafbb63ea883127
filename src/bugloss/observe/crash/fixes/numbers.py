"""Numbers of the wrong kind or size: fractions for counts, percentages for shares, types that an operation refuses."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit, merged
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.demand import read_demand
from bugloss.observe.crash.fixes.rewriting import after, node_called, operand_text, rewrite
from bugloss.observe.crash.fixes.tensors import at_use, convert, short_type
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash_event import Operand
from bugloss.source.editing import replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, receiver_of, walk

_REFUSED = re.compile(r"(?:not implemented for|Got:?|got:?) '?(?P<type>\w+)'?")
_NUMBER = re.compile(r"(?:got|[Rr]eceived|:)[: ]{0,4}+(?:\w{1,60}+ ?= ?)?(?P<number>-?\d+(?:\.\d+)?)")
_MOST_PERCENT = 100


def whole_quotient(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A quotient that is a size or an index is divided with ``//``, which gives a whole number."""
    statement = file.module.statement(scene.place.line) if scene.place else None
    for node in walk(statement) if statement is not None else ():
        inside = node.slice if isinstance(node, ast.Subscript) else None
        given = [*node.args, *(item.value for item in node.keywords)] if isinstance(node, ast.Call) else [inside]
        for part in (part for one in given if one is not None for part in walk(one)):
            found = _quotient(file, part)
            if found is not None:
                return _divided(*found)
    return None


def _quotient(file: CrashedFile, node: ast.AST) -> tuple[SourceModule, ast.BinOp] | None:
    """The division that a part of an expression is, or that made its value."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return file.module, node
    if not isinstance(node, ast.Name | ast.Attribute):
        return None
    end = file.steps_back(file.module, node)[-1]
    is_quotient = isinstance(end.node, ast.BinOp) and isinstance(end.node.op, ast.Div) and not end.wanted
    return (end.module, end.node) if is_quotient and isinstance(end.node, ast.BinOp) else None


def _divided(module: SourceModule, node: ast.BinOp) -> Edit:
    return rewrite(module, node, f"{module.source.segment(node.left)} // {module.source.segment(node.right)}")


def real_operand(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """What an operation refuses for its type is converted to single precision."""
    said = _REFUSED.search(scene.text)
    dtype = short_type(said["type"]) if said is not None else ""
    line = scene.place.text if scene.place else ""
    wrong = [one for one in scene.operands if one.dtype == dtype and _is_word(one.name, line)]
    edits = [edit for one in wrong if (edit := convert(scene, file, one.name, "float32")) is not None]
    return merged(edits) if edits else None


def _is_word(name: str, line: str) -> bool:
    return bool(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", line))


def real_beside_fraction(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A tensor of whole numbers that meets a fraction is cast to single precision."""
    line = scene.place.text if scene.place else ""
    whole = [one for one in scene.operands if one.dtype in {"int32", "int64"} and _is_word(one.name, line)]
    node = node_called(file, scene.place.line, whole[0].name) if scene.place and len(whole) == 1 else None
    return at_use(file, node, "float32") if node is not None else None


def within_range(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A share that is written in percent is divided by 100; a rate loses its minus."""
    said = _NUMBER.search(scene.text)
    value = float(said["number"]) if said is not None else 0.0
    for call in file.module.calls_on(scene.place.line) if scene.place and value else ():
        for given in (*call.args, *(item.value for item in call.keywords)):
            end = file.steps_back(file.module, given)[-1]
            node = end.node if not end.wanted else given
            if isinstance(node, ast.expr) and _literal(node) == value:
                share = 1 < value <= _MOST_PERCENT and re.search(r"between 0|\[0, ?1|0 and 1|0, 1", scene.text)
                new = f"{value / 100:g}" if share else f"{-value:g}" if value < 0 else ""
                return rewrite(end.module, node, new) if new else None
    return None


def _literal(node: ast.expr) -> float | None:
    sign = -1 if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else 1
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if not isinstance(inner, ast.Constant) or not isinstance(inner.value, int | float):
        return None
    return sign * float(inner.value)


def new_result(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``x += y`` keeps type and shape of ``x``; ``x = x + y`` makes a new one that has room for both."""
    statement = file.module.statement(scene.place.line) if scene.place else None
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.target, ast.Name | ast.Attribute):
        return None
    text, module = file.module.source.segment(statement), file.module
    name, value = module.source.segment(statement.target), operand_text(module, statement.value)
    sign = text[len(name) :].lstrip().partition("=")[0].strip()
    return replace_node(module, statement, f"{name} = {name} {sign} {value}")


def aligned(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """One value per row that meets rows gets an axis at its end: ``rows * weights[..., None]``."""
    statement = file.module.statement(scene.place.line) if scene.place else None
    shapes = {one.name: one for one in scene.operands}
    for node in walk(statement) if statement is not None else ():
        if not isinstance(node, ast.BinOp):
            continue
        for short, long in ((node.left, node.right), (node.right, node.left)):
            first, second = shapes.get(ast.unparse(short)), shapes.get(ast.unparse(long))
            if first is not None and second is not None and _lacks_last(first, second):
                return after(file.module, short, "[..., None]")
    return None


def _lacks_last(short: Operand, long: Operand) -> bool:
    return 0 < len(short.shape) == len(long.shape) - 1 and short.shape == long.shape[:-1]


def rows_kept(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``x.view(-1, 400)`` with another size mixes samples: ``x.view(x.size(0), -1)`` keeps one row for each."""
    for module in file.modules:
        for call in module.called("view", "reshape"):
            receiver, first = receiver_of(call), call.args[0] if call.args else None
            is_torch = "torch" in module.names.roots and module.names.qualified(call.func) is None
            if receiver is not None and is_torch and len(call.args) == 2 and ast.unparse(first or call) == "-1":
                text = operand_text(module, receiver)
                return rewrite(module, call, f"{text}.{method_of(call)}({text}.size(0), -1)")
    return None


def in_list(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A single value where a message asks for a list or a tuple."""
    demand = read_demand(scene.text)
    kind = re.search(r"\b(?:a |an )?(list|tuple|iterable|sequence)\b", demand.wanted)
    got_one = not re.search(r"\b(?:list|tuple)\b", demand.got)
    for call in file.module.calls_on(scene.place.line) if scene.place and kind and got_one else ():
        item = next((one for one in call.keywords if one.arg == demand.argument), None)
        if item is not None and not isinstance(item.value, ast.List | ast.Tuple):
            return rewrite(file.module, item.value, f"[{file.module.source.segment(item.value)}]")
    return None
