"""Edits of how training and held-out data are made: processed in the same way, drawn from the same whole."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.source.editing import insert_before, replace_node, unwrap_call
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of, walk

_TRAINING = re.compile(r"train|(?:^|_)fit(?:_|$)", re.IGNORECASE)
_HELD_OUT = re.compile(r"val|test|eval|held|dev(?:_|$)", re.IGNORECASE)


def processed_the_same(module: SourceModule) -> Iterator[Edit]:
    """Held-out data that are not processed as the training data are, statement beside statement."""
    for training, held_out in _pairs(module):
        yield from _mirrored(module, training.value, held_out.value)


def _pairs(module: SourceModule) -> Iterator[tuple[ast.Assign, ast.Assign]]:
    """Assignments of one block, of training and of held-out data."""
    assigned = [node for node in module.nodes[ast.Assign] if isinstance(node, ast.Assign)]
    for first in assigned:
        for second in assigned:
            together = module.parents.get(first) is module.parents.get(second) and first is not second
            names = (ast.unparse(first.targets[0]), ast.unparse(second.targets[0]))
            if together and _TRAINING.search(names[0]) and _HELD_OUT.search(names[1]):
                yield first, second


def _mirrored(module: SourceModule, ours: ast.expr, theirs: ast.expr) -> Iterator[Edit]:
    """The place where two expressions that should be built in the same way are not."""
    match ours, theirs:
        case ast.Tuple(elts=first), ast.Tuple(elts=second) if len(first) == len(second):
            for one, other in zip(first, second, strict=True):
                yield from _mirrored(module, one, other)
        case ast.Call(), ast.Call() if ast.dump(ours.func) == ast.dump(theirs.func):
            for one, other in zip(ours.args, theirs.args, strict=False):
                yield from _mirrored(module, one, other)
        case ast.Call(args=[_, *_], func=ast.Name() | ast.Attribute()), ast.Call(args=[_, *_], func=ast.Name()):
            if len(ours.args) == len(theirs.args):
                yield replace_node(module, theirs.func, module.source.segment(ours.func))
        case ast.Call(args=[_, *rest]), ast.Name() | ast.Subscript() | ast.Attribute():
            named = [f"{one.arg}={module.source.segment(one.value)}" for one in ours.keywords]
            others = [*(module.source.segment(one) for one in rest), *named]
            texts = [module.source.segment(theirs), *others]
            yield replace_node(module, theirs, f"{module.source.segment(ours.func)}({', '.join(texts)})")


def processed_once(module: SourceModule) -> Iterator[Edit]:
    """A function applied to data that an assignment before has already passed through it."""
    done: dict[tuple[str, str], int] = {}
    for statement in sorted(module.nodes[ast.Assign], key=lambda node: getattr(node, "lineno", 0)):
        if isinstance(statement, ast.Assign):
            targets = {name for target in statement.targets for name in _names(target)}
            for call in (node for node in walk(statement.value) if isinstance(node, ast.Call)):
                if len(call.args) == 1 and isinstance(call.args[0], ast.Name) and call.args[0].id in targets:
                    done.setdefault((ast.unparse(call.func), call.args[0].id), statement.end_lineno or 0)
    for node in module.nodes[ast.Call]:
        if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
            line = done.get((ast.unparse(node.func), node.args[0].id))
            if line is not None and node.lineno > line:
                yield unwrap_call(module, node)


def shuffled_first(module: SourceModule) -> Iterator[Edit]:
    """Samples in random order before they are split by their position."""
    order = _permutation(module)
    if not order:
        return
    for call in module.called("range"):
        whole = module.parents.get(call)
        counted = call.args[0] if len(call.args) == 1 else None
        if method_of(whole) == "list" and isinstance(counted, ast.Call) and method_of(counted) == "len":
            text = f"{order}({module.source.segment(counted)}).tolist()"
            if isinstance(module.parents.get(whole) if whole is not None else None, ast.Assign) and whole is not None:
                yield replace_node(module, whole, text)
    for call in module.called("fit"):
        names = [one.id for one in call.args[:2] if isinstance(one, ast.Name)]
        statement = module.enclosing(call, ast.stmt)
        if keyword_of(call, "validation_split") is not None and len(names) == 2 and isinstance(statement, ast.stmt):
            yield _reordered(module, statement, names, order)
    yield from _before_slices(module, order)


def _before_slices(module: SourceModule, order: str) -> Iterator[Edit]:
    """Arrays that one function cuts in two at the same place."""
    cuts: dict[tuple[ast.AST | None, str], list[ast.Subscript]] = {}
    for node in module.nodes[ast.Subscript]:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Slice):
            bound = node.slice.lower or node.slice.upper
            if bound is not None and node.slice.step is None and (node.slice.lower is None or node.slice.upper is None):
                cuts.setdefault((module.enclosing(node, ast.FunctionDef), ast.unparse(bound)), []).append(node)
    for found in cuts.values():
        fronts = {ast.unparse(one.value) for one in found if isinstance(one.slice, ast.Slice) and one.slice.upper}
        backs = {ast.unparse(one.value) for one in found if isinstance(one.slice, ast.Slice) and one.slice.lower}
        statement = module.enclosing(min(found, key=lambda one: one.lineno), ast.stmt)
        names = [name for name in dict.fromkeys(ast.unparse(one.value) for one in found) if name in fronts & backs]
        if len(names) > 1 and isinstance(statement, ast.stmt):
            yield _reordered(module, statement, names, order)


def _reordered(module: SourceModule, statement: ast.stmt, names: list[str], order: str) -> Edit:
    indentation = " " * module.span(statement).column
    both = f"{', '.join(names)} = {', '.join(f'{name}[order]' for name in names)}"
    return insert_before(module, statement, f"order = {order}(len({names[0]}))\n{indentation}{both}")


def _permutation(module: SourceModule) -> str:
    """What draws a random order, as the program can write it."""
    aliases = {full: short for short, full in module.names.imported.items()}
    if "torch" in aliases:
        return f"{aliases['torch']}.randperm"
    return f"{aliases['numpy']}.random.permutation" if "numpy" in aliases else ""


def _names(target: ast.expr) -> set[str]:
    return {node.id for node in walk(target) if isinstance(node, ast.Name)}
