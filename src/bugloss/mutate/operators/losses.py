"""Operators that change what a training minimises."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType
from bugloss.mutate.contract import FaultLabels, MutationExample, MutationGroup, MutationOperator
from bugloss.mutate.places import argument, made, switches
from bugloss.source.editing import call_on, replace_last_word, replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of

_CHOICE = FaultLabels(
    Category.TRAINING,
    BugType.WRONG_SELECTION_OF_LOSS_FUNCTION,
    GeneralType.ARCHITECTURE_CONVENTION_VIOLATION,
    FixPattern.LOSS_FUNCTION,
)
_CALCULATION = FaultLabels(
    Category.TRAINING, BugType.WRONG_LOSS_FUNCTION_CALCULATION, GeneralType.API_MISUSE, FixPattern.LOSS_FUNCTION
)
# Another loss that takes outputs and targets of the same shapes, so that the program still runs.
_TORCH_OTHERS = {
    "CrossEntropyLoss": "MultiMarginLoss",
    "BCEWithLogitsLoss": "MSELoss",
    "BCELoss": "L1Loss",
    "MSELoss": "L1Loss",
    "L1Loss": "MSELoss",
    "cross_entropy": "multi_margin_loss",
    "binary_cross_entropy_with_logits": "mse_loss",
    "binary_cross_entropy": "l1_loss",
    "mse_loss": "l1_loss",
    "l1_loss": "mse_loss",
}
_KERAS_OTHERS = {
    "categorical_crossentropy": "mean_absolute_error",
    "binary_crossentropy": "mean_absolute_error",
    "mse": "mean_absolute_percentage_error",
    "mean_squared_error": "mean_absolute_percentage_error",
    "mae": "mean_absolute_percentage_error",
    "mean_absolute_error": "mean_absolute_percentage_error",
}
_TORCH, _KERAS = "from torch import nn\nimport torch.nn.functional as F\n", "import keras\n"
_CLASSES = "loss = F.cross_entropy(model(x), y)\n"


class ChangeLoss(MutationOperator):
    """Another loss for outputs and targets of the same shape."""

    name, deepcrime, group, labels = "change-loss", "LCH", MutationGroup.LOSS, _CHOICE
    examples = (
        MutationExample(_TORCH + _CLASSES, _TORCH + _CLASSES.replace("cross_entropy", "multi_margin_loss")),
        MutationExample(_TORCH + "criterion = nn.MSELoss()\n", _TORCH + "criterion = nn.L1Loss()\n"),
        MutationExample(
            _KERAS + 'model.compile("adam", loss="binary_crossentropy")\n',
            _KERAS + 'model.compile("adam", loss="mean_absolute_error")\n',
        ),
    )
    untouched = (
        _KERAS + 'model.compile("adam", loss="sparse_categorical_crossentropy")\n',
        _TORCH + "criterion = nn.CTCLoss()\n",
    )

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for package in ("torch.nn", "torch.nn.functional"):
            for call in made(module, package, *_TORCH_OTHERS):
                if isinstance(call.func, ast.Attribute):
                    yield replace_last_word(module, call.func, _TORCH_OTHERS[call.func.attr])
        for call in module.called("compile"):
            given = argument(call, "loss")
            value = given.value if given else None
            if isinstance(value, ast.Constant) and value.value in _KERAS_OTHERS:
                yield replace_node(module, value, f'"{_KERAS_OTHERS[value.value]}"')


class MaximizeLoss(MutationOperator):
    """The training goes up the gradient."""

    name, group, labels = "maximize-loss", MutationGroup.LOSS, _CALCULATION
    examples = (
        MutationExample("loss.backward()\n", "(-loss).backward()\n"),
        MutationExample("criterion(a, b).backward()\n", "(-criterion(a, b)).backward()\n"),
    )
    untouched = ("scaler.step(optimizer)\n", "loss.backward(gradient)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in module.called("backward"):
            if isinstance(call.func, ast.Attribute) and not call.args and not call.keywords:
                yield replace_node(module, call.func.value, f"(-{module.source.segment(call.func.value)})")


class NormalizeScoresTwice(MutationOperator):
    """Softmax before a loss that takes scores and applies it itself."""

    name, group, labels = "normalize-scores-twice", MutationGroup.LOSS, _CALCULATION
    examples = (
        MutationExample(_TORCH + _CLASSES, _TORCH + "loss = F.cross_entropy(model(x).softmax(dim=1), y)\n"),
        MutationExample(
            _KERAS + "loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)\n",
            _KERAS + "loss = keras.losses.SparseCategoricalCrossentropy(from_logits=False)\n",
        ),
    )
    untouched = (_TORCH + "loss = F.mse_loss(model(x), y)\n", _KERAS + "loss = keras.losses.MeanSquaredError()\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in made(module, "torch.nn.functional", "cross_entropy"):
            if call.args and method_of(call.args[0]) not in {"softmax", "log_softmax"}:
                yield call_on(module, call.args[0], "softmax(dim=1)")
        for value in switches(module, "from_logits", True):
            yield replace_node(module, value, "False")


OPERATORS: tuple[MutationOperator, ...] = (ChangeLoss(), MaximizeLoss(), NormalizeScoresTwice())
