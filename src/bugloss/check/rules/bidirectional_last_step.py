"""bidirectional-last-step."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import assigned
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, keyword_of, method_of, targets_of


class BidirectionalLastStep(Rule):
    """The last step of a bidirectional recurrent layer is used as a summary of the sequence.

    ## What it finds
    ``output[:, -1]`` of a recurrent layer of PyTorch with ``bidirectional=True``.

    ## Why it hurts
    At the last step the backward direction has read one element only: half of the features say nothing about the
    rest of the sequence. The summary of the backward direction is at the first step, or in the final state.

    ## Example
    ```python
    output, _ = self.lstm(x)  # bidirectional=True
    return self.head(output[:, -1])
    ```

    ## Use instead
    ```python
    _, (hidden, _) = self.lstm(x)
    return self.head(torch.cat([hidden[-2], hidden[-1]], dim=1))
    ```

    ## Known problems
    The layer must be created in the same class or file.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    PyTorch documentation of ``torch.nn.LSTM`` (``bidirectional``, ``h_n``).
    """

    name = "bidirectional-last-step"
    severity = Severity.WARNING
    category = Category.MODEL
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("model",)
    words = ("bidirectional",)
    faulty = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 16, batch_first=True, bidirectional=True)
        self.head = nn.Linear(32, 2)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.head(out[:, -1, :])
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 16, batch_first=True, bidirectional=True)
        self.plain = nn.GRU(8, 16, batch_first=True)
        self.head = nn.Linear(32, 2)

    def forward(self, x):
        out, (h, _) = self.lstm(x)
        last, _ = self.plain(x)
        both = torch.cat([out[:, -1, :16], out[:, 0, 16:]], dim=1)
        return self.head(torch.cat([h[-2], h[-1]], dim=1)) + self.head(both) + last[:, -1].sum()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        layers = set()
        for node in program.nodes[ast.Assign]:
            value = node.value if isinstance(node, ast.Assign) else None
            if isinstance(value, ast.Call) and method_of(value) in {"LSTM", "GRU", "RNN"}:
                torch_layer = (program.names.qualified(value.func) or "").startswith("torch.nn.")
                if torch_layer and is_constant(keyword_of(value, "bidirectional"), True):
                    layers.add(dotted(targets_of(node)[0]))
        for node in program.nodes[ast.Subscript] if layers else ():
            if isinstance(node, ast.Subscript) and _takes_last(node.slice) and _is_output(program, node.value, layers):
                message = (
                    "at the last step the backward direction has read one element only: use its final state, "
                    "torch.cat([h_n[-2], h_n[-1]], dim=1)"
                )
                yield self.finding(program, node, message)


def _takes_last(index: ast.expr) -> bool:
    """``[:, -1]`` or ``[:, -1, :]``; a third index that is cut says that the author knows."""
    parts = index.elts if isinstance(index, ast.Tuple) else []
    whole = [part for part in parts if isinstance(part, ast.Slice) and part.lower is None and part.upper is None]
    last = len(parts) > 1 and isinstance(parts[1], ast.UnaryOp) and is_constant(parts[1].operand, 1)
    return last and len(whole) == len(parts) - 1


def _is_output(program: Program, node: ast.expr, layers: set[str]) -> bool:
    """Whether a name holds the first result of one of the layers."""
    if isinstance(node, ast.Subscript):
        value, first = node.value, is_constant(node.slice, 0)
        return first and isinstance(value, ast.Call) and dotted(value.func) in layers
    if not isinstance(node, ast.Name):
        return False
    found = assigned(program, node)
    if found is not None:
        return isinstance(found, ast.Subscript) and _is_output(program, found, layers)
    scope = scope_of(program, node)
    for one in program.nodes[ast.Assign]:
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call) and scope_of(program, one) is scope:
            target = targets_of(one)[0]
            output = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else None
            if isinstance(output, ast.Name) and output.id == node.id and dotted(one.value.func) in layers:
                return one.lineno < node.lineno
    return False
