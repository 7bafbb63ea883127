"""Operators that damage the samples which a program trains on."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType
from bugloss.mutate.contract import FaultLabels, MutationExample, MutationGroup, MutationOperator
from bugloss.mutate.places import TrainingSet, imported_as, training_sets
from bugloss.source.editing import insert_before
from bugloss.source.text.module import SourceModule

_LABELS = FaultLabels(Category.TRAINING, BugType.WRONG_PREPROCESSING, GeneralType.API_MISUSE, FixPattern.DATA_WRANGLING)
_FIT = """\
import keras
def train(model, images, labels):
{line}    model.fit(images, labels, epochs=3)
"""
_LOOP = """\
import torch
def train(model, criterion, optimizer, images, labels):
{line}    for _ in range(9):
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        optimizer.step()
"""
# Nothing to change: the samples are no variables, or the call fits something else than a network.
_GENERATED = """\
import keras
def train(model, make):
    model.fit(make(100), epochs=3)
"""
_SCALER = """\
from sklearn.preprocessing import StandardScaler
def scale(images, labels):
    StandardScaler().fit(images, labels)
"""


def _proof(line: str) -> tuple[MutationExample, ...]:
    return tuple(
        MutationExample(program.format(line=""), program.format(line=f"    {line}\n")) for program in (_FIT, _LOOP)
    )


class TrainingDataOperator(MutationOperator):
    """Writes one line before the training that replaces its samples."""

    group = MutationGroup.TRAINING_DATA
    labels = _LABELS
    untouched: ClassVar[tuple[str, ...]] = (_GENERATED, _SCALER)

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for samples in training_sets(module):
            line = self.line(module, samples)
            if line:
                yield insert_before(module, samples.before, line)

    @abstractmethod
    def line(self, module: SourceModule, samples: TrainingSet) -> str:
        """The statement that damages the samples; empty where it cannot be written."""


class ChangeLabels(TrainingDataOperator):
    """A quarter of the samples get the label of the first one."""

    name, deepcrime = "change-labels", "TCL"
    examples = _proof("labels = labels[[0] * (len(labels) // 4) + list(range(len(labels) // 4, len(labels)))]")

    def line(self, module: SourceModule, samples: TrainingSet) -> str:
        y = samples.targets
        return f"{y} = {y}[[0] * (len({y}) // 4) + list(range(len({y}) // 4, len({y})))]"


class RemoveTrainingData(TrainingDataOperator):
    """Nine of ten samples are left out."""

    name, deepcrime = "remove-training-data", "TRD"
    examples = _proof("images, labels = images[: len(images) // 10], labels[: len(labels) // 10]")

    def line(self, module: SourceModule, samples: TrainingSet) -> str:
        x, y = samples.inputs, samples.targets
        return f"{x}, {y} = {x}[: len({x}) // 10], {y}[: len({y}) // 10]"


class UnbalanceClasses(TrainingDataOperator):
    """Of the samples with the label of the first one, nine of ten are left out."""

    name, deepcrime = "unbalance-classes", "TUD"
    examples = _proof(
        "images, labels = (part[[i for i in range(len(labels)) if i % 10 == 0 or bool((labels[i] != labels[0]).any())]]"
        " for part in (images, labels))"
    )

    def line(self, module: SourceModule, samples: TrainingSet) -> str:
        x, y = samples.inputs, samples.targets
        kept = f"[i for i in range(len({y})) if i % 10 == 0 or bool(({y}[i] != {y}[0]).any())]"
        return f"{x}, {y} = (part[{kept}] for part in ({x}, {y}))"


class AddNoise(TrainingDataOperator):
    """Adds noise to the inputs, twice as strong as they vary."""

    name, deepcrime = "add-noise", "TAN"
    examples = (
        MutationExample(
            _LOOP.format(line=""),
            _LOOP.format(line="    images = images + 2 * images.std() * torch.randn_like(images)\n"),
        ),
        MutationExample(
            "import numpy as np\n" + _FIT.format(line=""),
            "import numpy as np\n"
            + _FIT.format(
                line='    images = (images + 2 * images.std() * np.random.randn(*images.shape)).astype("float32")\n'
            ),
        ),
    )
    untouched = (_GENERATED, _SCALER, _FIT.format(line=""))  # the last: no numpy to make noise with

    def line(self, module: SourceModule, samples: TrainingSet) -> str:
        x, torch, numpy = samples.inputs, imported_as(module, "torch"), imported_as(module, "numpy")
        if torch:
            return f"{x} = {x} + 2 * {x}.std() * {torch}.randn_like({x})"
        noise = f"2 * {x}.std() * {numpy}.random.randn(*{x}.shape)"
        return f'{x} = ({x} + {noise}).astype("float32")' if numpy else ""


class OverlapClasses(TrainingDataOperator):
    """Half of the samples appear twice, the second time with the label of another sample."""

    name, deepcrime = "overlap-classes", "TCO"
    examples = _proof(
        "images, labels = images[list(range(len(images))) + list(range(0, len(images), 2))], "
        "labels[list(range(len(labels))) + list(range(len(labels) - 1, -1, -2))]"
    )

    def line(self, module: SourceModule, samples: TrainingSet) -> str:
        x, y = samples.inputs, samples.targets
        inputs = f"{x}[list(range(len({x}))) + list(range(0, len({x}), 2))]"
        return f"{x}, {y} = {inputs}, {y}[list(range(len({y}))) + list(range(len({y}) - 1, -1, -2))]"


class ShiftLabels(TrainingDataOperator):
    """Every sample gets the label of its successor, as after a shuffle of the inputs alone."""

    name = "shift-labels"
    examples = _proof("labels = labels[list(range(1, len(labels))) + [0]]")

    def line(self, module: SourceModule, samples: TrainingSet) -> str:
        y = samples.targets
        return f"{y} = {y}[list(range(1, len({y}))) + [0]]"


class ScaleInputs(TrainingDataOperator):
    """The inputs are a hundred times larger than those of later predictions, as without their normalisation."""

    name = "scale-inputs"
    labels = FaultLabels(
        Category.TRAINING, BugType.MISSING_PREPROCESSING, GeneralType.NUMERIC_ERROR, FixPattern.DATA_WRANGLING
    )
    examples = _proof("images = images * 100")

    def line(self, module: SourceModule, samples: TrainingSet) -> str:
        return f"{samples.inputs} = {samples.inputs} * 100"


OPERATORS: tuple[MutationOperator, ...] = (
    ChangeLabels(),
    RemoveTrainingData(),
    UnbalanceClasses(),
    AddNoise(),
    OverlapClasses(),
    ShiftLabels(),
    ScaleInputs(),
)
