"""probability-threshold-on-logits."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.check.views.evaluation import network_names
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, method_of, walk
from bugloss.source.training.loss_calls import last_assigned

_KEEPS = {"squeeze", "view", "flatten", "reshape", "cpu", "detach", "float", "numpy", "ravel"}


class ProbabilityThresholdOnLogits(Rule):
    """Logits are compared with 0.5 as if they were probabilities.

    ## What it finds
    ``output > 0.5`` or ``round(output)`` of a network that is trained with ``BCEWithLogitsLoss`` and applies no sigmoid
    itself.

    ## Why it hurts
    A logit of 0 is a probability of one half. With the threshold at 0.5 all samples with a probability between 0.5 and
    0.62 count as negative; rounding also gives numbers other than 0 and 1, so the accuracy is wrong.

    ## Example
    ```python
    output = model(x)
    prediction = (output > 0.5).float()
    ```

    ## Use instead
    ```python
    output = model(x)
    prediction = (torch.sigmoid(output) > 0.5).float()
    ```

    ## Known problems
    Only outputs that are assigned in the same block are followed.

    ## Fix safety
    Suggested: a sigmoid is applied before the comparison.

    ## References
    PyTorch documentation, BCEWithLogitsLoss.
    """

    name = "probability-threshold-on-logits"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("heads", "metric")
    words = ("WithLogits", "with_logits")
    faulty = (
        """\
import torch
from torch import nn

criterion = nn.BCEWithLogitsLoss()

def accuracy(model, loader):
    correct = 0
    for x, y in loader:
        output = model(x).squeeze(1)
        correct += ((output > 0.5).float() == y).sum().item()
    return correct
""",
        """\
import torch
from torch import nn

criterion = nn.BCEWithLogitsLoss()

def accuracy(model, x, y):
    output = model(x)
    return (torch.round(output) == y).float().mean()
""",
    )
    clean = (
        """\
import torch
from torch import nn

criterion = nn.BCEWithLogitsLoss()

def accuracy(model, x, y):
    output = torch.sigmoid(model(x))
    other = model(x)
    return ((output > 0.5) == y).float().mean(), ((other > 0) == y).float().mean()
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return torch.sigmoid(self.fc(x))

criterion = nn.BCEWithLogitsLoss()

def accuracy(x, y):
    model = Net()
    output = model(x)
    return ((output > 0.5) == y).float().mean()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        squashed = any(
            "sigmoid" in _text(node) for class_ in torch_classes(program).values() for node in walk(class_.node)
        )
        if squashed or program.mentions(("BCELoss", "CrossEntropyLoss", "MSELoss", "nn.Sigmoid")):
            return
        for node in program.nodes[ast.Compare]:
            assert isinstance(node, ast.Compare)
            half = (
                len(node.ops) == 1
                and isinstance(node.ops[0], ast.Gt | ast.GtE)
                and is_constant(node.comparators[0], 0.5)
            )
            if half:
                yield from self._judge(program, node.left)
        for call in program.called("round"):
            if isinstance(call.func, ast.Attribute):
                yield from self._judge(program, call.args[0] if call.args else call.func.value)

    def _judge(self, program: Program, value: ast.expr) -> Iterator[Finding]:
        statement = program.enclosing(value, ast.stmt)
        source: ast.expr | None = value
        if isinstance(value, ast.Name) and isinstance(statement, ast.stmt):
            assigned = last_assigned(program, value.id, statement)
            source = assigned.value if assigned is not None else None
        while isinstance(source, ast.Call) and method_of(source) in _KEEPS and isinstance(source.func, ast.Attribute):
            source = source.func.value
        if isinstance(source, ast.Call) and dotted(source.func) in network_names(program):
            text = program.source.segment(value)
            message = f"{text} are logits: 0.5 is not the threshold of one half; apply a sigmoid first"
            fix = replace_node(program, value, f"torch.sigmoid({text})", "apply a sigmoid first")
            yield self.finding(program, value, message, fix=fix if "torch" in program.names.imported else None)


def _text(node: ast.AST) -> str:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.lower()
