"""Operators that change what keeps a network from learning its samples by heart."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType
from bugloss.mutate.contract import FaultLabels, MutationExample, MutationGroup, MutationOperator
from bugloss.mutate.places import argument, made, settings
from bugloss.source.editing import add_argument, remove_argument, replace_node
from bugloss.source.text.module import SourceModule

_LABELS = FaultLabels(
    Category.MODEL,
    BugType.WRONG_NETWORK_ARCHITECTURE,
    GeneralType.ARCHITECTURE_CONVENTION_VIOLATION,
    FixPattern.REGULARIZATION,
)
_DROPOUT = FaultLabels(
    Category.MODEL,
    BugType.MISSING_DROPOUT_LAYER,
    GeneralType.ARCHITECTURE_CONVENTION_VIOLATION,
    FixPattern.REGULARIZATION,
)
_OPTIMIZERS = ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad")
_PENALISED = ("Dense", "Conv1D", "Conv2D", "LSTM", "GRU")
_PENALTIES = ("kernel_regularizer", "weight_decay")
_DROPOUTS = {"torch.nn": ("Dropout", "Dropout1d", "Dropout2d"), "keras.layers": ("Dropout", "SpatialDropout2D")}
_NORMS = {
    "torch.nn": ("BatchNorm1d", "BatchNorm2d", "LayerNorm"),
    "keras.layers": ("BatchNormalization", "LayerNormalization"),
}
_KERAS, _TORCH = "from keras import layers, regularizers\n", "import torch\nfrom torch import nn\n"
_SGD = "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
_DECAYING = "optimizer = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=0.001)\n"


def _calls(module: SourceModule, names: dict[str, tuple[str, ...]]) -> Iterator[ast.Call]:
    for package, classes in names.items():
        yield from made(module, package, *classes)


def _penalised(module: SourceModule) -> Iterator[ast.Call]:
    yield from _calls(module, {"torch.optim": _OPTIMIZERS, "keras.layers": _PENALISED})


class AddWeightPenalty(MutationOperator):
    """A strong penalty on the weights."""

    name, deepcrime, group, labels = "add-weight-penalty", "RAW", MutationGroup.REGULARIZATION, _LABELS
    examples = (
        MutationExample(_TORCH + _SGD, _TORCH + _SGD.replace("0.1)", "0.1, weight_decay=0.5)")),
        MutationExample(_KERAS + "layers.Dense(4)\n", _KERAS + 'layers.Dense(4, kernel_regularizer="l1_l2")\n'),
    )
    untouched = (_TORCH + _DECAYING, _KERAS + 'layers.Dense(4, kernel_regularizer="l2")\n')

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in _penalised(module):
            if any(argument(call, name) for name in _PENALTIES):
                continue
            of_torch = str(module.names.qualified(call.func)).startswith("torch.")
            edit = add_argument(module, call, "weight_decay=0.5" if of_torch else 'kernel_regularizer="l1_l2"')
            if edit is not None:
                yield edit


class ChangeWeightPenalty(MutationOperator):
    """A penalty on the weights that is five hundred times as strong."""

    name, deepcrime, group, labels = "change-weight-penalty", "RCW", MutationGroup.REGULARIZATION, _LABELS
    examples = (
        MutationExample(_TORCH + _DECAYING, _TORCH + _DECAYING.replace("0.001", "0.5")),
        MutationExample(_KERAS + "regularizers.l2(0.002)\n", _KERAS + "regularizers.l2(1)\n"),
    )
    untouched = (_TORCH + _SGD, _KERAS + "layers.Dense(4)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        decays = [given.value for call in _penalised(module) if (given := argument(call, "weight_decay"))]
        rates = [call.args[0] for call in made(module, "keras.regularizers", "l1", "l2", "L1", "L2") if call.args]
        for value in (*decays, *rates):
            if isinstance(value, ast.Constant) and isinstance(value.value, float) and value.value > 0:
                yield replace_node(module, value, f"{value.value * 500:.6g}")


class RemoveWeightPenalty(MutationOperator):
    """No penalty on the weights."""

    name, deepcrime, group, labels = "remove-weight-penalty", "RRW", MutationGroup.REGULARIZATION, _LABELS
    examples = (
        MutationExample(_TORCH + _DECAYING, _TORCH + _SGD),
        MutationExample(_KERAS + 'layers.Dense(4, kernel_regularizer="l2")\n', _KERAS + "layers.Dense(4)\n"),
    )
    untouched = ChangeWeightPenalty.untouched

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in _penalised(module):
            for given in filter(None, (argument(call, name) for name in _PENALTIES)):
                yield remove_argument(module, call, given)


class DropoutOperator(MutationOperator):
    """Writes another share of dropped units."""

    group, labels = MutationGroup.REGULARIZATION, _DROPOUT
    rate: str
    untouched = (_TORCH + "net = nn.Linear(3, 3)\n", _KERAS + "layers.Dense(4)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in _calls(module, _DROPOUTS):
            given = [*call.args[:1], *(one.value for one in call.keywords if one.arg in {"p", "rate"})]
            if given and module.source.segment(given[0]) != self.rate:
                yield replace_node(module, given[0], self.rate)


class ChangeDropoutRate(DropoutOperator):
    """Nineteen of twenty units are dropped."""

    name, deepcrime, rate = "change-dropout-rate", "RCD", "0.95"
    examples = (
        MutationExample(_TORCH + "net = nn.Dropout(0.2)\n", _TORCH + "net = nn.Dropout(0.95)\n"),
        MutationExample(_KERAS + "layers.Dropout(rate=0.5)\n", _KERAS + "layers.Dropout(rate=0.95)\n"),
    )


class RemoveDropout(DropoutOperator):
    """No unit is dropped."""

    name, rate = "remove-dropout", "0.0"
    examples = (
        MutationExample(_TORCH + "net = nn.Dropout(p=0.2)\n", _TORCH + "net = nn.Dropout(p=0.0)\n"),
        MutationExample(_KERAS + "layers.Dropout(0.5)\n", _KERAS + "layers.Dropout(0.0)\n"),
    )


class RemoveNormalization(MutationOperator):
    """A layer that normalises is replaced by one that does nothing."""

    name, group, labels = "remove-normalization", MutationGroup.REGULARIZATION, _LABELS
    examples = (
        MutationExample(_TORCH + "net = nn.BatchNorm2d(8)\n", _TORCH + "net = nn.Identity()\n"),
        MutationExample(_KERAS + "layers.BatchNormalization()\n", _KERAS + 'layers.Activation("linear")\n'),
    )
    untouched = DropoutOperator.untouched

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in _calls(module, _NORMS):
            if isinstance(call.func, ast.Attribute):
                of_torch = str(module.names.qualified(call.func)).startswith("torch.")
                new = "Identity()" if of_torch else 'Activation("linear")'
                yield replace_node(module, call, f"{module.source.segment(call.func.value)}.{new}")


class ShortenPatience(MutationOperator):
    """Training stops at the first epochs that do not improve."""

    name, deepcrime, group = "shorten-patience", "RCP", MutationGroup.REGULARIZATION
    labels = FaultLabels(
        Category.TRAINING, BugType.PROBLEMATIC_EARLY_STOPPING, GeneralType.API_MISUSE, FixPattern.MONITOR
    )
    examples = (
        MutationExample("stop = EarlyStopping(patience=20)\n", "stop = EarlyStopping(patience=2)\n"),
        MutationExample("def train(patience=5):\n    pass\n", "def train(patience=1):\n    pass\n"),
    )
    untouched = ("stop = EarlyStopping(patience=1)\n", "stop = EarlyStopping(patience=given)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for constant in settings(module, "patience"):
            assert isinstance(constant.value, int | float)
            if constant.value > 1:
                yield replace_node(module, constant, f"{max(round(constant.value / 10), 1)}")


OPERATORS: tuple[MutationOperator, ...] = (
    AddWeightPenalty(),
    ChangeWeightPenalty(),
    RemoveWeightPenalty(),
    ChangeDropoutRate(),
    RemoveDropout(),
    RemoveNormalization(),
    ShortenPatience(),
)
