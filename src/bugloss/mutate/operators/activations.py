"""Operators that change activations."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType
from bugloss.mutate.contract import FaultLabels, MutationExample, MutationGroup, MutationOperator
from bugloss.mutate.places import argument, made
from bugloss.source.editing import add_argument, call_on, remove_argument, replace_node, unwrap_call
from bugloss.source.text.module import SourceModule

_LABELS = FaultLabels(
    Category.MODEL,
    BugType.WRONG_TYPE_OF_ACTIVATION_FUNCTION,
    GeneralType.ARCHITECTURE_CONVENTION_VIOLATION,
    FixPattern.ACTIVATION,
)
_FUNCTIONS = ("relu", "tanh", "sigmoid", "gelu", "silu", "elu", "leaky_relu")
_LAYERS = ("ReLU", "Tanh", "Sigmoid", "GELU", "SiLU", "ELU", "LeakyReLU")
_KERAS_LAYERS = ("Dense", "Conv1D", "Conv2D", "Conv3D", "SimpleRNN", "Conv2DTranspose", "Activation")
_TORCH = "from torch import nn\nimport torch.nn.functional as F\n"
_KERAS = "from keras import layers\n"
_LINEAR = _TORCH + "net = nn.Linear(3, 2)\n"


def _keras_activations(module: SourceModule) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The activation that a layer is given by name, with the layer."""
    for call in made(module, "keras.layers", *_KERAS_LAYERS):
        given = argument(call, "activation")
        if given is not None:
            yield call, given.value
        elif module.names.qualified(call.func) == "keras.layers.Activation" and call.args:
            yield call, call.args[0]


def _layers(module: SourceModule) -> Iterator[ast.Call]:
    yield from made(module, "torch.nn", *_LAYERS)


def _functions(module: SourceModule) -> Iterator[ast.Call]:
    for package in ("torch.nn.functional", "torch"):
        yield from made(module, package, *_FUNCTIONS)


class ChangeActivation(MutationOperator):
    """Sigmoid in place of another activation; tanh in place of sigmoid and softmax."""

    name, deepcrime, group, labels = "change-activation", "ACH", MutationGroup.ACTIVATION, _LABELS
    examples = (
        MutationExample(
            _KERAS + 'layers.Dense(8, activation="relu")\n', _KERAS + 'layers.Dense(8, activation="sigmoid")\n'
        ),
        MutationExample(_TORCH + "net = nn.ReLU()\n", _TORCH + "net = nn.Sigmoid()\n"),
        MutationExample(_TORCH + "x = F.relu(h)\n", _TORCH + "x = F.sigmoid(h)\n"),
    )
    untouched = (_LINEAR, _KERAS + "layers.Dense(8)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for _, value in _keras_activations(module):
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value != "linear":
                new = "tanh" if value.value in {"sigmoid", "softmax"} else "sigmoid"
                yield replace_node(module, value, f'"{new}"')
        for call in (*_layers(module), *_functions(module)):
            yield from self._renamed(module, call.func)

    def _renamed(self, module: SourceModule, name: ast.expr) -> Iterator[Edit]:
        if not isinstance(name, ast.Attribute):
            return  # imported by itself: the other one may not be there
        new = "tanh" if name.attr.lower() == "sigmoid" else "sigmoid"
        owner = module.source.segment(name.value)
        yield replace_node(module, name, f"{owner}.{new.capitalize() if name.attr[0].isupper() else new}")


class RemoveActivation(MutationOperator):
    """The layer before becomes linear."""

    name, deepcrime, group, labels = "remove-activation", "ARM", MutationGroup.ACTIVATION, _LABELS
    examples = (
        MutationExample(_KERAS + 'layers.Dense(8, activation="relu")\n', _KERAS + "layers.Dense(8)\n"),
        MutationExample(_TORCH + "net = nn.Tanh()\n", _TORCH + "net = nn.Identity()\n"),
        MutationExample(_TORCH + "x = F.relu(h)\n", _TORCH + "x = h\n"),
    )
    untouched = ChangeActivation.untouched

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call, value in _keras_activations(module):
            given = argument(call, "activation")
            if given is not None:
                yield remove_argument(module, call, given)
            else:
                yield replace_node(module, value, '"linear"')
        for call in _layers(module):
            if isinstance(call.func, ast.Attribute):
                yield replace_node(module, call, f"{module.source.segment(call.func.value)}.Identity()")
        for call in _functions(module):
            if len(call.args) == 1:
                yield unwrap_call(module, call)


class AddActivation(MutationOperator):
    """A rectifier behind a linear layer: the output of a network can no longer be negative."""

    name, deepcrime, group, labels = "add-activation", "AAL", MutationGroup.ACTIVATION, _LABELS
    examples = (
        MutationExample(_KERAS + "layers.Dense(1)\n", _KERAS + 'layers.Dense(1, activation="relu")\n'),
        MutationExample(
            _TORCH + "class Net(nn.Module):\n    def forward(self, x):\n        return self.head(x)\n",
            _TORCH + "class Net(nn.Module):\n    def forward(self, x):\n        return self.head(x).relu()\n",
        ),
    )
    untouched = (_KERAS + 'layers.Dense(1, activation="tanh")\n', "def forward(x):\n    return x\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in made(module, "keras.layers", "Dense", "Conv2D", "Conv1D"):
            edit = None if argument(call, "activation") else add_argument(module, call, 'activation="relu"')
            if edit is not None:
                yield edit
        for node in module.nodes[ast.Return]:
            function = module.enclosing(node, ast.FunctionDef)
            in_class = isinstance(module.parents.get(function) if function else None, ast.ClassDef)
            if isinstance(function, ast.FunctionDef) and function.name == "forward" and in_class:
                assert isinstance(node, ast.Return)
                if isinstance(node.value, ast.Call | ast.BinOp):
                    yield call_on(module, node.value, "relu()")


OPERATORS: tuple[MutationOperator, ...] = (ChangeActivation(), RemoveActivation(), AddActivation())
