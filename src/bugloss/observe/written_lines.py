"""Lines of the source that may have made what a recording shows.

A recording says that arrays are aliased, that statistics stay behind or that edges leave their graph, and where this is
seen. Which line to change is read from the source; nothing here is reported unless a recording asks for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.diagnosis import Location
from bugloss.observe.case import Case
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import assigned_pairs, dotted, method_of, receiver_of, walk, written

_SCORE = 0.92  # below a finding of check, above the line where a symptom was seen
_IN_PLACE = frozenset({"fill", "put", "sort", "itemset", "fill_", "zero_", "copy_", "add_", "sub_", "mul_", "clamp_"})
_UPDATES = frozenset({"lerp_", "mul_", "add_", "copy_", "lerp", "assign", "assign_add"})
_PARAMETERS = ("parameters()", "named_parameters()", "trainable_variables", "trainable_weights")
_JOINS = frozenset({"append", "extend", "cat", "concatenate", "hstack", "concat"})


def returned_state(case: Case) -> Iterator[Location]:
    """Where a method hands out an array of its object that the class changes in place."""
    for module, value in returned_arrays(case):
        yield Location(module.path, value.lineno, _SCORE, None, f"{dotted(value)} is handed out here, not a copy")


def returned_arrays(case: Case) -> Iterator[tuple[SourceModule, ast.expr]]:
    """The expressions that hand out such an array."""
    for module in case.sources.project.modules():
        for owner in module.nodes[ast.ClassDef]:
            changed = _changed_in_place(owner)
            for node in walk(owner):
                if isinstance(node, ast.Return) and node.value is not None:
                    parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
                    yield from ((module, part) for part in parts if dotted(part) in changed)


def _changed_in_place(owner: ast.AST) -> set[str]:
    """Attributes of an object that are written into, also by another name."""
    aliases = {
        dotted(target): dotted(value)
        for node in walk(owner)
        if isinstance(node, ast.Assign)
        for target, value in assigned_pairs(node)
        if isinstance(target, ast.Name) and dotted(value).startswith("self.")
    }
    names = {name for node in walk(owner) for name in _written_into(node)}
    return {name for name in {aliases.get(name, name) for name in names} if name.startswith("self.")}


def _written_into(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.AugAssign):
        target = node.target
        yield dotted(target.value if isinstance(target, ast.Subscript) else target)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            for part in walk(target):
                if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
                    yield dotted(part.value)
    elif isinstance(node, ast.Call):
        if method_of(node) in _IN_PLACE:
            yield dotted(receiver_of(node))
        yield from (dotted(given.value) for given in node.keywords if given.arg == "out")


def parameter_loops(case: Case) -> Iterator[Location]:
    """Loops over parameters that update something in place."""
    for module in case.sources.project.modules():
        for loop in module.nodes[ast.For]:
            if not isinstance(loop, ast.For) or not any(word in written(loop.iter) for word in _PARAMETERS):
                continue
            if any(method_of(part) in _UPDATES or isinstance(part, ast.Assign) for part in walk(loop)):
                yield Location(module.path, loop.lineno, _SCORE, None, "parameters are updated here, buffers are not")


def joined_edges(case: Case) -> Iterator[Location]:
    """Lines that put edges of several graphs together without adding anything to them."""
    for module in case.sources.project.modules():
        for call in module.nodes[ast.Call]:
            if not isinstance(call, ast.Call) or method_of(call) not in _JOINS or not call.args:
                continue
            given = call.args[0]
            text = written(call).lower()
            adds = any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add) for part in walk(given))
            if ("edge" in text or "bond" in text) and not adds:
                score = _SCORE if method_of(call) in ("append", "extend") else _SCORE - 0.02
                yield Location(module.path, call.lineno, score, None, "edges are joined here as they are")
