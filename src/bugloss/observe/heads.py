"""Where network and loss meet: what the last operation gives, and what the loss reads it as."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bugloss.core.network import loss as network
from bugloss.core.network.activation import Activation, Gives, activation
from bugloss.core.network.fit import Output
from bugloss.core.network.loss import Reads
from bugloss.observe.inputs import READ_IN_FULL
from bugloss.observe.layer_kinds import latest_models
from bugloss.observe.recording import LossFunction, Numbers, RecordedModel, Recording

_SUM_TOLERANCE = 1e-4  # relative: single precision, averaged over a batch, stays well below


@dataclass(frozen=True, slots=True)
class RecordedHead:
    """A loss function with what is known of the numbers that it is given."""

    loss: LossFunction
    row: network.KnownLoss | None  # what the tables know of the loss
    activation: Activation | None  # None where it is unknown or contradicted by the numbers
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

    @property
    def output(self) -> Output:
        """The same as ``core.network.fit`` takes it."""
        return Output(self.activation, self.width, self.least, self.largest, self.sums_to_one)

    def within(self, low: float, high: float) -> bool | None:
        """Whether all outputs seen are in a range; None where none were seen."""
        return Output(least=self.least, largest=self.largest).within(low, high)

    @property
    def sums_to_one(self) -> bool | None:
        """Whether the outputs of a sample add up to one, as only a softmax makes them; None where that is unknown."""
        width = self.width
        exact = [numbers.mean for numbers in self.outputs if math.prod(numbers.shape) <= READ_IN_FULL]
        if width is None or width < 2 or not exact:
            return None
        return self.within(0, 1) is True and all(abs(mean * width - 1) <= _SUM_TOLERANCE for mean in exact)


def refuses_strange_labels(recording: Recording) -> bool:
    """Whether labels without an output would have stopped the run: PyTorch checks them, unless it ignores them."""
    torch = recording.started is not None and recording.started.framework == "torch"
    return torch and len(recording.steps) > 1 and all(math.isfinite(loss) for loss in recording.loss_values)


def row_of(loss: LossFunction, framework: str) -> network.KnownLoss | None:
    """What the tables know of a loss: by its name, else by its kind and what it reads."""
    named = network.LOSSES.find(loss.name, lambda row: row.kind == loss.kind and row.framework == framework)
    if named is not None:
        return named
    similar = (row for row in network.losses_of(framework) if row.kind == loss.kind)
    scores = bool(loss.from_logits)
    return next((row for row in similar if row.scores_argument or (row.reads is Reads.SCORES) == scores), None)


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


def main_head(recording: Recording) -> RecordedHead | None:
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


def _head(recording: Recording, loss: LossFunction, model: RecordedModel | None) -> RecordedHead:
    framework = recording.started.framework if recording.started else "torch"
    outputs = tuple(_outputs(recording, loss))
    named = activation(model.output_activation) if model else None
    head = RecordedHead(loss, row_of(loss, framework), named, class_width(loss, framework), outputs)
    if named is None:
        return head
    # What the loss reads may not be what the model returned last: the numbers have the last word.
    outside = head.within(named.low, named.high) is False
    uneven = named.gives is Gives.DISTRIBUTION and head.sums_to_one is False
    contradicted = outside or uneven or _reads_another_output(recording, loss)
    return replace(head, activation=None) if contradicted else head


def _outputs(recording: Recording, loss: LossFunction) -> Iterator[Numbers]:
    """Finite outputs of training batches whose shape, but for the number of samples, is what the loss was given."""
    for batch in recording.batches:
        numbers = batch.outputs
        if batch.phase != "train" or numbers is None or numbers.nonfinite or not _is_finite(numbers):
            continue
        if not loss.output_shape or not numbers.shape or numbers.shape[1:] == loss.output_shape[1:]:
            yield numbers


def _reads_another_output(recording: Recording, loss: LossFunction) -> bool:
    """Whether no output that was seen has the shape of what the loss is given: the model has several outputs."""
    seen = [batch.outputs.shape for batch in recording.batches if batch.phase == "train" and batch.outputs is not None]
    wanted = _beyond_samples(loss.output_shape)
    return bool(seen) and bool(loss.output_shape) and all(_beyond_samples(shape) != wanted for shape in seen)


def _beyond_samples(shape: tuple[int, ...]) -> list[int]:
    """The axes after the first, without those of length one, which programs add and remove freely."""
    return [size for size in shape[1:] if size != 1]


def _is_finite(numbers: Numbers) -> bool:
    return math.isfinite(numbers.minimum) and math.isfinite(numbers.maximum) and math.isfinite(numbers.mean)
