"""Operators that change weights: how they begin, whether there is a bias, whether they learn."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType
from bugloss.mutate.contract import FaultLabels, MutationExample, MutationGroup, MutationOperator
from bugloss.mutate.places import argument, imported_as, made
from bugloss.source.editing import add_argument, call_on, insert_before, remove_argument, replace_node
from bugloss.source.text.module import SourceModule

_INITIAL = FaultLabels(
    Category.MODEL,
    BugType.WRONG_WEIGHTS_INITIALISATION,
    GeneralType.ARCHITECTURE_CONVENTION_VIOLATION,
    FixPattern.INITIALIZATION,
)
_STRUCTURE = FaultLabels(
    Category.MODEL,
    BugType.WRONG_NETWORK_ARCHITECTURE,
    GeneralType.ARCHITECTURE_CONVENTION_VIOLATION,
    FixPattern.CHANGE_NEURAL_ARCHITECTURE,
)
_TORCH_LAYERS = ("Linear", "Conv1d", "Conv2d", "ConvTranspose2d")
_KERAS_LAYERS = ("Dense", "Conv1D", "Conv2D", "Conv2DTranspose")
_OPTIMIZERS = ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "NAdam", "Adamax")
_TORCH, _KERAS = "import torch\nfrom torch import nn\n", "from keras import layers\n"
_MADE = "optimizer = torch.optim.Adam(net.parameters())\n"


def _weighted(module: SourceModule) -> Iterator[tuple[ast.Call, str]]:
    """Layers with weights, and what the argument for their bias is called."""
    for call in made(module, "torch.nn", *_TORCH_LAYERS):
        yield call, "bias"
    for call in made(module, "keras.layers", *_KERAS_LAYERS):
        yield call, "use_bias"


class ChangeInitialWeights(MutationOperator):
    """All weights begin at zero."""

    name, deepcrime, group, labels = "change-initial-weights", "WCI", MutationGroup.WEIGHTS, _INITIAL
    examples = (
        MutationExample(_KERAS + "layers.Dense(4)\n", _KERAS + 'layers.Dense(4, kernel_initializer="zeros")\n'),
        MutationExample(
            _KERAS + 'layers.Dense(4, kernel_initializer="he_normal")\n',
            _KERAS + 'layers.Dense(4, kernel_initializer="zeros")\n',
        ),
        MutationExample(
            _TORCH + _MADE,
            _TORCH + "for weights in net.parameters(): torch.nn.init.zeros_(weights)\n" + _MADE,
        ),
    )
    untouched = (_TORCH + "optimizer = torch.optim.Adam(groups)\n", _KERAS + "layers.Flatten()\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in made(module, "keras.layers", *_KERAS_LAYERS):
            given = argument(call, "kernel_initializer")
            text = 'kernel_initializer="zeros"'
            edit = replace_node(module, given, text) if given else add_argument(module, call, text)
            if edit is not None:
                yield edit
        for call in made(module, "torch.optim", *_OPTIMIZERS):
            yield from self._zeroed(module, call)

    def _zeroed(self, module: SourceModule, optimizer: ast.Call) -> Iterator[Edit]:
        torch, statement = imported_as(module, "torch"), module.enclosing(optimizer, ast.stmt)
        weights = optimizer.args[0] if optimizer.args else None
        named = isinstance(weights, ast.Call) and isinstance(weights.func, ast.Attribute)
        if torch and named and isinstance(statement, ast.stmt) and isinstance(weights, ast.Call):
            text = f"for weights in {module.source.segment(weights)}: {torch}.nn.init.zeros_(weights)"
            if weights.func.attr == "parameters":  # type: ignore[attr-defined]
                yield insert_before(module, statement, text)


class RemoveBias(MutationOperator):
    """A layer without its bias."""

    name, deepcrime, group, labels = "remove-bias", "WRB", MutationGroup.WEIGHTS, _STRUCTURE
    examples = (
        MutationExample(_TORCH + "net = nn.Linear(3, 2)\n", _TORCH + "net = nn.Linear(3, 2, bias=False)\n"),
        MutationExample(_KERAS + "layers.Dense(4)\n", _KERAS + "layers.Dense(4, use_bias=False)\n"),
    )
    untouched = (_TORCH + "net = nn.Linear(3, 2, bias=False)\n", _KERAS + "layers.Flatten()\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call, name in _weighted(module):
            edit = None if argument(call, name) else add_argument(module, call, f"{name}=False")
            if edit is not None:
                yield edit


class AddBias(MutationOperator):
    """A layer with a bias, where the program asks for none."""

    name, deepcrime, group, labels = "add-bias", "WAB", MutationGroup.WEIGHTS, _STRUCTURE
    examples = (
        MutationExample(_TORCH + "net = nn.Linear(3, 2, bias=False)\n", _TORCH + "net = nn.Linear(3, 2)\n"),
        MutationExample(_KERAS + "layers.Dense(4, use_bias=False)\n", _KERAS + "layers.Dense(4)\n"),
    )
    untouched = (_TORCH + "net = nn.Linear(3, 2)\n", _KERAS + "layers.Dense(4)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call, name in _weighted(module):
            given = argument(call, name)
            if given and isinstance(given.value, ast.Constant) and given.value.value is False:
                yield remove_argument(module, call, given)


class FreezeLayer(MutationOperator):
    """The weights of one layer do not learn."""

    name, group, labels = "freeze-layer", MutationGroup.WEIGHTS, _STRUCTURE
    examples = (
        MutationExample(_TORCH + "net = nn.Linear(3, 2)\n", _TORCH + "net = nn.Linear(3, 2).requires_grad_(False)\n"),
        MutationExample(_KERAS + "layers.Dense(4)\n", _KERAS + "layers.Dense(4, trainable=False)\n"),
    )
    untouched = (_TORCH + "net = nn.Flatten()\n", _KERAS + "layers.Dense(4, trainable=False)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in made(module, "torch.nn", *_TORCH_LAYERS):
            yield call_on(module, call, "requires_grad_(False)")
        for call in made(module, "keras.layers", *_KERAS_LAYERS):
            edit = None if argument(call, "trainable") else add_argument(module, call, "trainable=False")
            if edit is not None:
                yield edit


OPERATORS: tuple[MutationOperator, ...] = (ChangeInitialWeights(), RemoveBias(), AddBias(), FreezeLayer())
