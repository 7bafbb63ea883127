"""Edits that keep numbers finite: quotients away from zero, outputs inside the range of their loss."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.source.editing import replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of, walk

_SUMS = {"sum", "reduce_sum"}
_WEIGHTS = re.compile(r"weight|mask", re.IGNORECASE)
_COUNTING = ("PoissonNLLLoss", "poisson_nll_loss")


def quotients_by_weights(module: SourceModule) -> Iterator[Edit]:
    """A weighted mean whose weights may all be zero divides by at least one."""
    for node in module.nodes[ast.BinOp]:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div) or not isinstance(node.right, ast.Call):
            continue
        total, text = node.right, module.source.segment(node.right)
        if method_of(total) not in _SUMS or not _WEIGHTS.search(text):
            continue
        owner = module.source.segment(total.func.value) if isinstance(total.func, ast.Attribute) else ""
        is_library = (module.names.qualified(total.func) or "").startswith(("tensorflow", "keras", "numpy"))
        yield replace_node(module, total, f"{owner}.maximum({text}, 1.0)" if is_library else f"{text}.clamp(min=1.0)")


def positive_outputs(module: SourceModule) -> Iterator[Edit]:
    """The output of a network that a Poisson loss takes as a rate is made positive."""
    rates = [call for call in module.called(*_COUNTING) if _is_false(keyword_of(call, "log_input"))]
    functional = _functional(module)
    if not rates or not functional:
        return
    for node in module.nodes[ast.FunctionDef]:
        if isinstance(node, ast.FunctionDef) and node.name == "forward":
            for returned in (one for one in walk(node) if isinstance(one, ast.Return) and one.value is not None):
                layer = next((one for one in walk(returned) if isinstance(one, ast.Call) and _is_layer(one)), None)
                if layer is not None:
                    yield replace_node(module, layer, f"{functional}.softplus({module.source.segment(layer)})")


def _is_false(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _is_layer(node: ast.AST) -> bool:
    """Whether a node calls something that the module keeps: ``self.output(x)``."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "self"
    )


def _functional(module: SourceModule) -> str:
    aliases = {full: short for short, full in module.names.imported.items()}
    if "torch.nn.functional" in aliases:
        return aliases["torch.nn.functional"]
    return f"{aliases['torch.nn']}.functional" if "torch.nn" in aliases else ""
