"""How weights begin."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.source.editing import remove_argument, replace_node
from bugloss.source.text.module import SourceModule

_INITIALIZERS = ("kernel_initializer", "init", "weights_initializer")


def _bias_initializers(module: SourceModule) -> Iterator[ast.expr]:
    """What biases begin with, given as an argument or in a table of arguments."""
    for node in (*module.nodes[ast.keyword], *module.nodes[ast.Dict]):
        if isinstance(node, ast.keyword) and node.arg == "bias_initializer":
            yield node.value
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "bias_initializer":
                    yield value


class InitializationFix(FixGenerator):
    """What it changes
    ---------------
    Weights that all start with one value start at random; an initializer is left out, or exchanged.

    When it is tried
    ----------------
    With the finding `symmetric-initialization`, and causes about weights that begin too large or equal.

    Known problems
    --------------
    Results change with every seed afterwards, as they should.

    References
    ----------
    A pattern of bugloss, beside the fifteen of "Repairing Deep Neural Networks" (ICSE 2020).
    """

    fix_pattern = FixPattern.INITIALIZATION
    examples = (
        FixExample(
            """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential()
model.add(Dense(64, input_dim=8, activation="relu", kernel_initializer="zeros"))
model.add(Dense(1))
""",
            """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential()
model.add(Dense(64, input_dim=8, activation="relu"))
model.add(Dense(1))
""",
        ),
        FixExample(
            """\
from torch import nn


def initialise(module):
    if isinstance(module, nn.Linear):
        nn.init.constant_(module.weight, 0.1)
""",
            """\
from torch import nn


def initialise(module):
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
""",
        ),
        FixExample(
            """\
from keras import initializers, layers

SETTINGS = {"activation": "tanh", "bias_initializer": initializers.Constant(5.0)}
hidden = layers.Dense(16, **SETTINGS)
""",
            """\
from keras import initializers, layers

SETTINGS = {"activation": "tanh", "bias_initializer": "zeros"}
hidden = layers.Dense(16, **SETTINGS)
""",
            causes=("wrong-bias-initialization",),
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        for finding, module, call in case.calls_found("symmetric-initialization"):
            given = [part for part in call.keywords if part.arg in _INITIALIZERS]
            name = module.source.segment(call.func)
            edit = None
            if given:
                edit = remove_argument(module, call, given[0])
            elif name.startswith(("nn.init.", "torch.nn.init.")) and call.args:
                weights = module.source.segment(call.args[0])
                edit = replace_node(module, call, f"{name.rpartition('.')[0]}.xavier_uniform_({weights})")
            if edit is not None:
                yield self.patch(edit, finding.confidence, finding.message)
        cause = case.named("wrong-bias-initialization")
        for module in case.project.modules() if cause is not None and not cause.edits else ():
            for node in _bias_initializers(module):
                if cause is not None:
                    yield self.patch(replace_node(module, node, '"zeros"'), cause.confidence, cause.explanation)
