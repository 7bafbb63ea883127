"""What the source says about an output layer, its loss and its targets, put to ``core.network.fit``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from bugloss.check.contract import suggested
from bugloss.core.finding import Fix
from bugloss.core.network.activation import activation
from bugloss.core.network.fit import Misfit, Output, SuggestedChange, encoding_misfit, misfits, regression_misfits
from bugloss.core.network.loss import Encoding
from bugloss.source.networks.head_edits import HeadPlaces, WrittenNode, head_edits
from bugloss.source.networks.heads import TrainedHead
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, keyword_of, method_of
from bugloss.source.values.values import Loss, Tensor, Value

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
    if not isinstance(targets, Tensor):
        return None
    known = next((encoding for fact, encoding in _ENCODINGS.items() if fact in targets.facts), None)
    whole = targets.rank == 1 and targets.dtype is not None and targets.dtype.startswith(("int", "uint"))
    return Encoding.CLASS_NUMBERS if known is None and whole else known


def head_fix(program: Program, trained: TrainedHead, changes: Iterable[SuggestedChange]) -> Fix | None:
    """The first of the changes that can be written down."""
    return suggested(next(head_edits(changes, _places(program, trained)), None))


def _places(program: Program, trained: TrainedHead) -> HeadPlaces:
    step, layer = trained.head.step, trained.head.layer
    found = (step.node if step else None, layer.node if layer else None, _loss_node(program, trained))
    written = (WrittenNode(program, node) if isinstance(node, ast.expr) else None for node in found)
    return HeadPlaces(trained.framework, *written)


def _loss_node(program: Program, trained: TrainedHead) -> ast.expr | None:
    """Where the loss is named: in ``compile``, where its object is made, or where its function is called."""
    receiver, node = trained.place.receiver, trained.place.node
    if isinstance(receiver, Loss):
        return receiver.node
    if method_of(node) != "compile" or not isinstance(node, ast.Call):
        return node
    given = keyword_of(node, "loss") or (node.args[1] if len(node.args) > 1 else None)
    made = program.assignments.get(dotted(given), []) if given is not None and dotted(given) else []
    return made[0].value if len(made) == 1 else given
