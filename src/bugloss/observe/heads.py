"""Where network and loss meet: what the last operation gives, and what the loss reads it as."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.observe.inputs import READ_IN_FULL
from bugloss.observe.layer_kinds import latest_models
from bugloss.observe.recording import LossFunction, Model, Numbers, Recording

CLASSIFYING = ("cross-entropy", "nll", "binary-cross-entropy")
REGRESSING = ("mse", "mae", "huber", "smooth-l1", "log-cosh", "msle", "mape", "rmse")
RANGES = {
    "sigmoid": (0.0, 1.0),
    "softmax": (0.0, 1.0),
    "hard-sigmoid": (0.0, 1.0),
    "tanh": (-1.0, 1.0),
    "softsign": (-1.0, 1.0),
    "relu": (0.0, math.inf),
    "relu6": (0.0, 6.0),
    "softplus": (0.0, math.inf),
    "exponential": (0.0, math.inf),
    "log-softmax": (-math.inf, 0.0),
    "log-sigmoid": (-math.inf, 0.0),
}
_SPELLINGS = {
    "logsoftmax": "log-softmax",
    "logsigmoid": "log-sigmoid",
    "hardsigmoid": "hard-sigmoid",
    "exp": "exponential",
}
_TOLERANCE = 1e-4
_SUM_TOLERANCE = 1e-4  # relative: single precision, averaged over a batch, stays well below


@dataclass(frozen=True, slots=True)
class Head:
    """A loss function with what is known of the numbers that it is given."""

    loss: LossFunction
    activation: str  # canonical, empty where unknown or contradicted by the numbers
    width: int | None  # classes or columns
    outputs: tuple[Numbers, ...]  # of training batches, in the order they were seen

    @property
    def least(self) -> float | None:
        """The smallest output seen."""
        return min((numbers.minimum for numbers in self.outputs), default=None)

    @property
    def largest(self) -> float | None:
        """The largest output seen."""
        return max((numbers.maximum for numbers in self.outputs), default=None)

    def within(self, low: float, high: float) -> bool | None:
        """Whether all outputs seen lie in a range; None where none were seen."""
        if self.least is None or self.largest is None:
            return None
        return self.least >= low - _TOLERANCE and self.largest <= high + _TOLERANCE

    @property
    def sums_to_one(self) -> bool | None:
        """Whether the outputs of a sample add up to one, as only a softmax makes them; None where that is unknown."""
        width = self.width
        exact = [numbers.mean for numbers in self.outputs if math.prod(numbers.shape) <= READ_IN_FULL]
        if width is None or width < 2 or not exact:
            return None
        return self.within(0, 1) is True and all(abs(mean * width - 1) <= _SUM_TOLERANCE for mean in exact)


def refuses_strange_labels(recording: Recording) -> bool:
    """Whether labels without an output would have stopped the run: PyTorch checks them, unless told to ignore them."""
    torch = recording.started is not None and recording.started.framework == "torch"
    return torch and len(recording.steps) > 1 and all(math.isfinite(loss) for loss in recording.loss_values)


def canonical(activation: str) -> str:
    """One spelling for each activation."""
    plain = activation.strip().lower().replace("_", "-")
    return _SPELLINGS.get(plain, plain)


def main_loss(recording: Recording) -> LossFunction | None:
    """The loss function of training: the outputs and targets that probes report are those of the first one.

    Where several kinds are in use, all batches must look as if they had gone into the first.
    """
    if not recording.losses:
        return None
    first = recording.losses[0]
    several = len({loss.kind for loss in recording.losses}) > 1
    shapes = [
        batch.outputs.shape for batch in recording.batches if batch.phase == "train" and batch.outputs is not None
    ]
    fits = bool(shapes) and all(shape[1:] == first.output_shape[1:] for shape in shapes)
    return None if several and not fits else first


def main_head(recording: Recording) -> Head | None:
    """The loss function of training with the outputs it reads. With several models their last activation is unknown."""
    loss = main_loss(recording)
    models = tuple(model for model in latest_models(recording) if model.parameters)
    return _head(recording, loss, models[0] if len(models) == 1 else None) if loss is not None else None


def class_width(loss: LossFunction, framework: str) -> int | None:
    """The number of classes or columns that a loss reads: PyTorch keeps classes on axis 1, Keras on the last."""
    shape = loss.output_shape
    if not shape:
        return None
    if len(shape) == 1:
        return 1
    by_class = framework == "torch" and loss.kind in ("cross-entropy", "nll")
    return shape[1] if by_class else shape[-1]


def _head(recording: Recording, loss: LossFunction, model: Model | None) -> Head:
    framework = recording.started.framework if recording.started else "torch"
    outputs = tuple(_outputs(recording, loss))
    head = Head(loss, canonical(model.output_activation) if model else "", class_width(loss, framework), outputs)
    low, high = RANGES.get(head.activation, (-math.inf, math.inf))
    # What the loss reads may not be what the model returned last: the numbers have the last word.
    contradicted = head.within(low, high) is False or (head.activation == "softmax" and head.sums_to_one is False)
    return Head(loss, "", head.width, outputs) if contradicted else head


def _outputs(recording: Recording, loss: LossFunction) -> Iterator[Numbers]:
    """Finite outputs of training batches whose shape, but for the number of samples, is what the loss was given."""
    for batch in recording.batches:
        numbers = batch.outputs
        if batch.phase != "train" or numbers is None or numbers.nonfinite or not _is_finite(numbers):
            continue
        if not loss.output_shape or not numbers.shape or numbers.shape[1:] == loss.output_shape[1:]:
            yield numbers


def _is_finite(numbers: Numbers) -> bool:
    return math.isfinite(numbers.minimum) and math.isfinite(numbers.maximum) and math.isfinite(numbers.mean)
