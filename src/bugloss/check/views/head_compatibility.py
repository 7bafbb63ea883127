"""What the source says about an output layer, its loss and its targets, put to ``core.network.fit``."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.network.activation import activation
from bugloss.core.network.fit import Misfit, Output, encoding_misfit, misfits, regression_misfits
from bugloss.core.network.loss import Encoding
from bugloss.source.networks.heads import TrainedHead
from bugloss.source.values.values import Tensor, Value

_ENCODINGS = {"one-hot": Encoding.ONE_HOT, "class-ids": Encoding.CLASS_NUMBERS}


def output_misfits(trained: TrainedHead) -> Iterator[Misfit]:
    """Why the head and the loss do not match."""
    head = trained.head
    # In PyTorch a name may stand for any module: that nothing follows a layer is known only where the layer is.
    if trained.framework == "torch" and head.activation == "linear" and head.layer is None:
        return
    output = Output(activation(head.activation), head.units)
    yield from misfits(output, trained.loss, trained.from_logits)
    if trained.framework == "keras":
        dense = head.layer is not None and head.layer.role == "dense"
        negative = dense and not (isinstance(trained.targets, Tensor) and trained.targets.interval.low >= 0)
        yield from regression_misfits(output, trained.loss, encoding_of(trained.targets) is not None, negative)


def target_misfit(trained: TrainedHead) -> Misfit | None:
    """Why the labels do not suit the loss."""
    units = trained.head.units
    return None if units is None else encoding_misfit(trained.loss, encoding_of(trained.targets), units)


def encoding_of(targets: Value) -> Encoding | None:
    """How labels are written, where the source shows it."""
    facts = targets.facts if isinstance(targets, Tensor) else frozenset()
    return next((encoding for fact, encoding in _ENCODINGS.items() if fact in facts), None)
