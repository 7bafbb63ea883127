"""Loops over batches: what they unpack, iterators that end, samples past the end, steps of one graph."""

from __future__ import annotations

import ast
import re

from bugloss.core.edit import Edit, quoted
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.source.editing import delete_statement, insert_before, move_before, replace_node, replace_span
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, receiver_of, walk

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_INDEX = "index"


def counted_batches(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """``for x, y in enumerate(loader)`` takes the index for the batch."""
    module = file.module
    node: ast.AST | None = module.statement(scene.place.line) if scene.place else None
    while node is not None:
        if isinstance(node, ast.For) and method_of(node.iter) == "enumerate" and isinstance(node.target, ast.Tuple):
            names = [ast.unparse(one) for one in node.target.elts]
            if (
                len(names) == 2
                and all(isinstance(one, ast.Name) for one in node.target.elts)
                and _is_used(node, names[0])
            ):
                return replace_node(module, node.target, f"{_INDEX}, ({', '.join(names)})")
            return None
        node = module.enclosing(node, ast.For)
    return None


def names_for_all(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A name for each value that a data set or a function gives, ``_`` for those that are not used."""
    module = file.module
    statement = module.statement(scene.place.line) if scene.place else None
    target = statement.target if isinstance(statement, ast.For) else getattr(statement, "targets", [None])[0]
    source = statement.iter if isinstance(statement, ast.For) else getattr(statement, "value", None)
    if not isinstance(target, ast.Tuple) or source is None:
        return None
    missing = _values_of(file, module, source) - len(target.elts)
    text = module.source.segment(target)
    return replace_node(module, target, f"{text}{', _' * missing}") if missing > 0 and text[-1] != ")" else None


def _values_of(file: CrashedFile, module: SourceModule, source: ast.expr) -> int:
    """How many values there are at a time: of a tuple, or of a sample of a ``TensorDataset``."""
    end = file.steps_back(module, source)[-1]
    if isinstance(end.node, ast.Tuple):
        return len(end.node.elts)
    for call in walk(end.node):
        if isinstance(call, ast.Call) and method_of(call) == "TensorDataset":
            return len(call.args)
        if isinstance(call, ast.Call) and method_of(call) == "DataLoader" and call.args:
            made = file.steps_back(end.module, call.args[0])[-1].node
            return len(made.args) if isinstance(made, ast.Call) and method_of(made) == "TensorDataset" else 0
    return 0


def _is_used(loop: ast.For, name: str) -> bool:
    """Whether a layer or function gets what the loop calls by that name as its first argument."""
    calls = [node for part in loop.body for node in walk(part) if isinstance(node, ast.Call)]
    return any(isinstance(call.args[0], ast.Name) and call.args[0].id == name for call in calls if call.args)


def begun_again(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """An iterator that every epoch needs is made at the start of each."""
    module = file.module
    for call in module.calls_on(scene.place.line) if scene.place else ():
        taken = call.args[0] if method_of(call) == "next" and call.args else None
        made = module.assignments.get(taken.id, ())[-1:] if isinstance(taken, ast.Name) else ()
        inner = module.enclosing(call, *_LOOPS)
        outer = module.enclosing(inner, *_LOOPS) if inner is not None else None
        for statement in made:
            if isinstance(outer, _LOOPS) and statement.lineno < outer.lineno:
                return move_before(module, statement, outer.body[0])
    return None


def shorter_by_what_is_ahead(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A data set whose samples read ahead, ``self.rows[index + 1]``, has fewer samples than rows."""
    module = file.module
    statement = module.statement(scene.place.line) if scene.place else None
    function = module.enclosing(statement, ast.FunctionDef) if statement is not None else None
    cls = module.enclosing(function, ast.ClassDef) if function is not None else None
    if statement is None or not isinstance(cls, ast.ClassDef) or getattr(function, "name", "") != "__getitem__":
        return None
    ahead = [_ahead(node.slice) for node in walk(statement) if isinstance(node, ast.Subscript)]
    for method in cls.body:
        ends = method.body[-1] if isinstance(method, ast.FunctionDef) and method.name == "__len__" else None
        if isinstance(ends, ast.Return) and ends.value is not None and any(ahead):
            return rewrite(module, ends.value, f"{module.source.segment(ends.value)} - {max(ahead)}")
    return None


def _ahead(index: ast.expr) -> int:
    """By how much ``index + 2`` is ahead."""
    is_sum = isinstance(index, ast.BinOp) and isinstance(index.op, ast.Add) and isinstance(index.right, ast.Constant)
    value = (
        index.right.value if is_sum and isinstance(index, ast.BinOp) and isinstance(index.right, ast.Constant) else 0
    )
    return value if isinstance(value, int) else 0


def one_backward(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Two losses of one forward pass go backward as their sum."""
    module = file.module
    second = module.statement(scene.place.line) if scene.place else None
    block = getattr(module.parents.get(second), "body", []) if second is not None else []
    at = block.index(second) if second in block else 0
    first = block[at - 1] if at else None
    losses = [_backward_of(one) for one in (first, second)]
    if first is None or second is None or losses[0] is None or losses[1] is None:
        return None
    texts = [module.source.segment(one) for one in losses if one is not None]
    if texts[0] == texts[1]:
        return None
    total = f"({texts[0]} + {texts[1]})"
    words = f"write {quoted(f'{total}.backward()')} in line {first.lineno} instead of two calls"
    return Edit(words, (replace_node(module, losses[0], total).changes[0], *delete_statement(module, second).changes))


def _backward_of(statement: ast.stmt | None) -> ast.expr | None:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return receiver_of(call) if isinstance(call, ast.Call) and method_of(call) == "backward" and not call.args else None


def without_gradient(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """Updates of weights by hand, line after line, are not recorded."""
    module = file.module
    crashed = module.statement(scene.place.line) if scene.place else None
    if not isinstance(crashed, ast.AugAssign) or "leaf" not in scene.text or "torch" not in module.names.imported:
        return None
    block = getattr(module.parents.get(crashed), "body", [crashed])
    at = block.index(crashed) if crashed in block else 0
    end = at
    while end + 1 < len(block) and isinstance(block[end + 1], ast.AugAssign):
        end += 1
    return _under(module, block[at : end + 1], "with torch.no_grad():")


def _under(module: SourceModule, statements: list[ast.stmt], head: str) -> Edit:
    """Statements as the body of a block."""
    first, last = module.span(statements[0]), module.span(statements[-1])
    lines = module.source.lines[first.line - 1 : last.end_line]
    indentation = lines[0][: first.column]
    body = "\n".join(f"    {line}" if line.strip() else line for line in lines)
    span = type(first)(first.line, first.column, last.end_line, len(lines[-1]))
    return Edit(
        f"put {quoted(lines[0])} in line {first.line} under {quoted(head)}",
        (replace_span(module, span, f"{head}\n{indentation}{body[len(indentation) :]}"),),
    )


def evaluated(scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """A prediction for one sample: the model is put in evaluation mode."""
    for path, line in reversed(file.stack):
        module = file.project.module(path)
        statement = module.statement(line) if module is not None else None
        block = module.enclosing(statement, ast.With) if module is not None and statement is not None else None
        head = ast.unparse(block.items[0].context_expr) if isinstance(block, ast.With) else ""
        if module is None or statement is None or not re.search(r"no_grad|inference_mode", head):
            continue
        called = [one.func for one in module.calls_on(line) if isinstance(one.func, ast.Name | ast.Attribute)]
        models = [one for one in called if isinstance(one, ast.Name) and not module.names.qualified(one)]
        if models and isinstance(block, ast.With):
            return insert_before(module, block, f"{ast.unparse(models[0])}.eval()")
    return None
