"""Activation functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.edit import Edit, merged
from bugloss.core.network.activation import saturates
from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.repair.finite import positive_outputs
from bugloss.source.editing import replace_last_word, replace_node
from bugloss.source.text.module import SourceModule


def _exchanged(module: SourceModule) -> list[Edit]:
    """Every saturating activation of a file, exchanged, in the order of its lines."""
    nodes: list[ast.Attribute | ast.Constant] = [
        *(node for node in module.nodes[ast.Attribute] if isinstance(node, ast.Attribute) and saturates(node.attr)),
        *(node for node in module.nodes[ast.Constant] if isinstance(node, ast.Constant) and saturates(str(node.value))),
    ]
    return [_exchange(module, node) for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset))]


def _exchange(module: SourceModule, node: ast.Attribute | ast.Constant) -> Edit:
    if isinstance(node, ast.Attribute):
        return replace_last_word(module, node, _relu(node.attr))
    quote = module.source.segment(node)[:1]
    return replace_node(module, node, f"{quote}{_relu(str(node.value))}{quote}")


def _relu(instead: str) -> str:
    """ReLU, spelled as a class, a function or a method in place, as the other activation was."""
    return "ReLU" if instead[0].isupper() else "relu_" if instead.endswith("_") else "relu"


class ActivationFix(FixGenerator):
    """What it changes
    ---------------
    The activation of the output layer, so that it fits the loss; one between layers that have none.

    When it is tried
    ----------------
    With findings and causes about output layers, saturated or dead units. Where a cause brings no edit, saturating
    activations are exchanged: first all but the last, which may belong to the output layer, then all, then each.

    Known problems
    --------------
    Another output activation changes what saved predictions mean.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.ACTIVATION
    examples = (
        FixExample(
            """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1, activation="softmax")])
model.compile("adam", "binary_crossentropy")
""",
            """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
""",
        ),
        FixExample(
            """\
from torch import nn


def build(sizes=(8, 64, 64, 1), activation=nn.Sigmoid):
    layers = []
    for width, following in zip(sizes, sizes[1:]):
        layers += [nn.Linear(width, following), activation()]
    return nn.Sequential(*layers[:-1], nn.Sigmoid())
""",
            """\
from torch import nn


def build(sizes=(8, 64, 64, 1), activation=nn.ReLU):
    layers = []
    for width, following in zip(sizes, sizes[1:]):
        layers += [nn.Linear(width, following), activation()]
    return nn.Sequential(*layers[:-1], nn.Sigmoid())
""",
            causes=("wrong-activation",),
        ),
        FixExample(
            """\
from torch import nn
import torch.nn.functional as F


class Rides(nn.Module):
    def forward(self, x):
        return self.output(x).squeeze(1)


criterion = nn.PoissonNLLLoss(log_input=False)
""",
            """\
from torch import nn
import torch.nn.functional as F


class Rides(nn.Module):
    def forward(self, x):
        return F.softplus(self.output(x)).squeeze(1)


criterion = nn.PoissonNLLLoss(log_input=False)
""",
            causes=("wrong-activation",),
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        cause = next((cause for cause in case.of_pattern(self.fix_pattern) if not cause.edits), None)
        for module in case.project.modules() if cause is not None else ():
            for edit in positive_outputs(module):
                if cause is not None:
                    yield self.patch(edit, cause.confidence, cause.explanation)
        for module in case.project.modules() if cause is not None else ():
            edits = _exchanged(module)
            groups = [edits[:-1], edits, *([edit] for edit in edits)]
            for number, group in enumerate(group for group in groups if group):
                if cause is not None:
                    sure = round(cause.confidence / (2 + number), 3)
                    yield self.patch(merged(group), sure, cause.explanation)
