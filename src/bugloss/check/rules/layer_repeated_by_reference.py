"""layer-repeated-by-reference."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.layer import has_weights
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.networks.torch_classes import is_parametric, torch_classes
from bugloss.source.program import Program


class LayerRepeatedByReference(Rule):
    """A list repeats one layer instead of creating several.

    ## What it finds
    A list with a newly created layer that is multiplied (``[nn.Linear(8, 8)] * 4``) or repeated by a comprehension
    over one object, as elements of a network.

    ## Why it hurts
    Multiplying a list repeats the reference: all places share one set of weights, so a network of four layers has
    the parameters of one.

    ## Example
    ```python
    self.blocks = nn.ModuleList([Block(64)] * 6)
    ```

    ## Use instead
    ```python
    self.blocks = nn.ModuleList([Block(64) for _ in range(6)])
    ```

    ## Known problems
    Layers without weights (activations, dropout, pooling) may be shared and are not reported.

    ## Fix safety
    Suggested: the product becomes a comprehension.

    ## References
    Python documentation of sequence operations: ``s * n`` does not copy the items.
    """

    name = "layer-repeated-by-reference"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("model",)
    words = ("] *", "]*", "* [", "*[")
    faulty = (
        """\
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.ModuleList([nn.Linear(8, 8)] * 4)
""",
        """\
from torch import nn

layer = nn.TransformerEncoderLayer(16, 2)
encoder = nn.Sequential(*[layer] * 3)
""",
    )
    clean = (
        """\
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.ModuleList([nn.Linear(8, 8) for _ in range(4)])
        self.activations = [nn.ReLU()] * 4
        self.sizes = [8] * 4
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
                continue
            items, count = (node.left, node.right) if isinstance(node.left, ast.List) else (node.right, node.left)
            if not isinstance(items, ast.List) or len(items.elts) != 1:
                continue
            made = definition(program, items.elts[0])
            if isinstance(made, ast.Call) and _has_weights(program, made):
                text = f"[{program.source.segment(made)} for _ in range({program.source.segment(count)})]"
                message = "all places of the list are one layer with one set of weights: create one layer for each"
                yield self.finding(program, node, message, fix=suggested(replace_node(program, node, text)))


def _has_weights(program: Program, call: ast.Call) -> bool:
    name = program.names.qualified(call.func) or ""
    short = name.rsplit(".", 1)[-1]
    if name.startswith("torch.nn."):
        return is_parametric(short)
    own = getattr(call.func, "id", "")
    return own in torch_classes(program) or (name.startswith("keras.layers.") and has_weights(short, "keras"))
