"""Operators that change the numbers which a training is started with."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType
from bugloss.mutate.contract import FaultLabels, MutationExample, MutationGroup, MutationOperator
from bugloss.mutate.places import settings, training_sets
from bugloss.source.editing import replace_node
from bugloss.source.text.module import SourceModule

_RATES = ("lr", "learning_rate")
_EPOCHS = ("epochs", "num_epochs", "n_epochs", "nb_epoch", "steps", "num_steps")
_WITHOUT_NUMBERS = "import torch\ndef train(model, rate):\n    return torch.optim.SGD(model.parameters(), rate)\n"


def _rate_labels() -> FaultLabels:
    return FaultLabels(
        Category.TRAINING, BugType.SUBOPTIMAL_LEARNING_RATE, GeneralType.NUMERIC_ERROR, FixPattern.OPTIMIZER
    )


class NumberOperator(MutationOperator):
    """Writes another number for a setting."""

    group = MutationGroup.HYPERPARAMETERS
    settings: tuple[str, ...]
    factors: tuple[float, ...]
    whole = False
    untouched: ClassVar[tuple[str, ...]] = (_WITHOUT_NUMBERS,)

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for constant in settings(module, *self.settings):
            assert isinstance(constant.value, int | float)
            for factor in self.factors:
                number = constant.value * factor
                new = f"{max(round(number), 1)}" if self.whole else f"{number:.6g}"
                if float(new) != constant.value:
                    yield replace_node(module, constant, new)


class DecreaseLearningRate(NumberOperator):
    """The learning rate is a thousandth of what it was."""

    name, deepcrime = "decrease-learning-rate", "HLR"
    labels, settings, factors = _rate_labels(), _RATES, (1e-3,)
    examples = (
        MutationExample(
            "optimizer = optim.Adam(model.parameters(), lr=0.01)\n",
            "optimizer = optim.Adam(model.parameters(), lr=1e-05)\n",
        ),
        MutationExample("def build(learning_rate=0.1):\n    pass\n", "def build(learning_rate=0.0001):\n    pass\n"),
    )


class IncreaseLearningRate(NumberOperator):
    """The learning rate is a hundred times what it was."""

    name = "increase-learning-rate"
    labels, settings, factors = _rate_labels(), _RATES, (100.0,)
    examples = (
        MutationExample("optimizer = SGD(learning_rate=0.02)\n", "optimizer = SGD(learning_rate=2)\n"),
        MutationExample("LR = 0.001\n", "LR = 0.1\n"),
    )


class ChangeEpochs(NumberOperator):
    """A tenth of the epochs, or of the steps where a training counts these; one at least."""

    name, deepcrime = "change-epochs", "HNE"
    labels = FaultLabels(
        Category.TRAINING, BugType.SUBOPTIMAL_NUMBER_OF_EPOCHS, GeneralType.API_MISUSE, FixPattern.ITERATIONS
    )
    settings, factors, whole = _EPOCHS, (0.1,), True
    examples = (
        MutationExample("model.fit(x, y, epochs=30)\n", "model.fit(x, y, epochs=3)\n"),
        MutationExample("def train(model, *, steps=200):\n    pass\n", "def train(model, *, steps=20):\n    pass\n"),
    )
    untouched = (_WITHOUT_NUMBERS, "model.fit(x, y, epochs=1)\n")


class ChangeBatchSize(NumberOperator):
    """Batches of an eighth, or of eight times as many samples."""

    name, deepcrime = "change-batch-size", "HBS"
    labels = FaultLabels(
        Category.TRAINING, BugType.SUBOPTIMAL_BATCH_SIZE, GeneralType.API_MISUSE, FixPattern.DATA_WRANGLING
    )
    settings, factors, whole = ("batch_size",), (8.0, 0.125), True
    examples = (
        MutationExample("loader = DataLoader(data, batch_size=32)\n", "loader = DataLoader(data, batch_size=256)\n"),
        MutationExample("BATCH_SIZE = 16\n", "BATCH_SIZE = 128\n"),
    )


class DisableBatching(MutationOperator):
    """All samples are one batch."""

    name, deepcrime, group = "disable-batching", "HDB", MutationGroup.HYPERPARAMETERS
    labels = ChangeBatchSize.labels
    examples = (
        MutationExample(
            "import keras\nmodel.fit(x, y, batch_size=32, epochs=3)\n",
            "import keras\nmodel.fit(x, y, batch_size=len(x), epochs=3)\n",
        ),
        MutationExample(
            "from torch.utils.data import DataLoader, TensorDataset\n"
            "loader = DataLoader(TensorDataset(x, y), batch_size=32)\n",
            "from torch.utils.data import DataLoader, TensorDataset\n"
            "loader = DataLoader(TensorDataset(x, y), batch_size=len(x))\n",
        ),
    )
    untouched = (_WITHOUT_NUMBERS, "import keras\nmodel.fit(data, batch_size=32, epochs=3)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for samples in training_sets(module):
            for node in ast.walk(samples.before):
                if isinstance(node, ast.keyword) and node.arg == "batch_size":
                    yield replace_node(module, node.value, f"len({samples.inputs})")


OPERATORS: tuple[MutationOperator, ...] = (
    ChangeBatchSize(),
    DecreaseLearningRate(),
    IncreaseLearningRate(),
    ChangeEpochs(),
    DisableBatching(),
)
