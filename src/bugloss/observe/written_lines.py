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
_SORTS = frozenset({"sort", "argsort"})
_ERRORS = frozenset({"mse_loss", "l1_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits"})
_DIVERGENCE = ("kl", "diverg", "logvar", "log_var", "exp(")
_REDUCED = ("reduction", "axis", "dim")
_MOST_MEANS = 3  # the first ones: losses come before what is printed
_JOINS = frozenset({"append", "extend", "cat", "concatenate", "hstack", "concat"})


def returned_state(case: Case) -> Iterator[Location]:
    """Where a method returns an array of its object that the class changes in place."""
    for module, value in returned_arrays(case):
        yield Location(module.path, value.lineno, _SCORE, None, f"{dotted(value)} is returned here, not a copy")


def returned_arrays(case: Case) -> Iterator[tuple[SourceModule, ast.expr]]:
    """The expressions that return such an array."""
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
        yield dotted(node.target.value if isinstance(node.target, ast.Subscript) else node.target)
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
    """Lines that put edges of several graphs together without adding anything to them, or to only some of them."""
    for module in case.sources.project.modules():
        for call in module.nodes[ast.Call]:
            if isinstance(call, ast.Call) and call.args and method_of(call) in _JOINS:
                why = _joins_as_they_are(call)
                if why:
                    yield Location(module.path, call.lineno, _SCORE, None, why)


def _joins_as_they_are(call: ast.Call) -> str:
    given = call.args[0]
    adds = any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add) for part in walk(given))
    if isinstance(given, ast.List | ast.Tuple) and adds:
        plain = [part for part in given.elts if not any(isinstance(one, ast.BinOp) for one in walk(part))]
        return "only some of these are shifted" if plain else ""
    if adds:
        return ""
    names = any(word in written(call).lower() for word in ("edge", "bond", "link"))
    columns = _axis(call) in (1, -1) and method_of(call) not in ("append", "extend")
    return "edges are joined here as they are" if names or columns else ""


def _axis(call: ast.Call) -> object:
    given = next((each.value for each in call.keywords if each.arg in ("dim", "axis")), None)
    given = call.args[1] if given is None and len(call.args) > 1 else given
    try:
        return ast.literal_eval(given) if given is not None else None
    except ValueError:
        return None


def ignored_labels(case: Case) -> Iterator[Location]:
    """Where a loss gets the label to leave out."""
    for module in case.sources.project.modules():
        for call in module.nodes[ast.Call]:
            if isinstance(call, ast.Call) and any(each.arg == "ignore_index" for each in call.keywords):
                yield Location(module.path, call.lineno, _SCORE, None, "the label to leave out is given here")


def sorted_batches(case: Case) -> Iterator[Location]:
    """Where a result is indexed by an order that a sort gave."""
    for module in case.sources.project.modules():
        orders = {
            name
            for node in module.nodes[ast.Assign]
            if isinstance(node, ast.Assign) and any(method_of(part) in _SORTS for part in walk(node.value))
            for target in node.targets
            for name in (dotted(part) for part in walk(target))
            if name
        }
        for node in module.nodes[ast.Return]:
            for part in walk(node):
                if isinstance(part, ast.Subscript) and dotted(part.slice) in orders:
                    yield Location(module.path, part.lineno, _SCORE, None, "the result is put into this order")


def averaged_errors(case: Case) -> Iterator[Location]:
    """Where an error is averaged over all of its values."""
    for module in case.sources.project.modules():
        calls = (call for call in module.nodes[ast.Call] if isinstance(call, ast.Call) and _averages(call))
        for call in list(calls)[:_MOST_MEANS]:
            yield Location(module.path, call.lineno, _SCORE, None, "an error is averaged over all values here")


def _averages(call: ast.Call) -> bool:
    text = written(call).lower()
    if any(word in text for word in _DIVERGENCE) or any(each.arg in _REDUCED for each in call.keywords):
        return False
    if method_of(call) in _ERRORS:
        return True
    means = method_of(call) in ("mean", "reduce_mean")
    return means and len(call.args) <= 1 and not any(isinstance(given, ast.Constant) for given in call.args)
