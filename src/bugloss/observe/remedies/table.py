"""Which edits remove which fault; a fault without an entry has none that can be known from its recording."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bugloss.core.edit import Edit
from bugloss.observe.case import Case
from bugloss.observe.remedies import copies, data, heads, layers, settings, steps

Remedy = Callable[[Case], Iterator[Edit]]

_REMEDIES: Mapping[str, tuple[Remedy, ...]] = {
    "wrong-loss-function": (heads.other_loss,),
    "wrong-activation": (heads.other_activation,),
    "competing-labels": (heads.sigmoid_per_label,),
    "wrong-head-units": (heads.units_per_class, heads.other_loss),
    "wrong-weight-initialization": (layers.usual_weights,),
    "wrong-bias-initialization": (layers.zero_biases,),
    "everything-frozen": (layers.unfrozen,),
    "optimizer-misses-parameters": (layers.all_parameters,),
    "class-imbalance": (data.weighted_classes,),
    "silent-broadcast": (data.equal_shapes,),
    "unnormalised-input": (data.scaled_inputs,),
    "unnormalised-target": (data.scaled_targets,),
    "nonfinite-input": (data.finite_inputs,),
    "label-out-of-range": (data.classes_from_zero,),
    "numeric-instability": (data.guarded_operand,),
    "zero-sample-weights": (data.guarded_operand,),
    "learning-rate-too-low": (settings.higher_rate,),
    "learning-rate-too-high": (settings.lower_rate,),
    "wrong-optimizer": (settings.usual_optimizer_settings,),
    "too-few-epochs": (settings.more_epochs,),
    "too-many-epochs": (settings.fewer_epochs,),
    "wrong-batch-size": (settings.usual_batch,),
    "dropout-rate-too-high": (settings.usual_dropout,),
    "dropout-rate-too-low": (settings.usual_dropout,),
    "dropout-misused": (settings.without_last_dropout, steps.evaluation_mode),
    "missing-regularization": (settings.stronger_decay,),
    "regularization-too-strong": (settings.weaker_decay,),
    "wrong-batch-normalization": (settings.usual_norm, settings.usual_batch),
    "unshuffled-data": (settings.shuffled_loader,),
    "gradients-not-cleared": (steps.clear_gradients,),
    "missing-optimizer-step": (steps.make_step,),
    "detached-from-loss": (steps.keep_graph,),
    "missing-evaluation-mode": (steps.evaluation_mode,),
    "training-mode-not-restored": (steps.train_mode,),
    "gradients-recorded-in-evaluation": (steps.without_gradients,),
    "swapped-loss-arguments": (steps.swap_operands,),
    "unscaled-accumulation": (steps.divide_accumulated,),
    "wrong-schedule": (steps.schedule_per_epoch, steps.step_schedule),
    "graph-kept-alive": (steps.keep_number,),
    "returned-array-changed-later": (copies.returned_copy,),
}


def remedies(fault: str, case: Case) -> Iterator[Edit]:
    """The edits to try for a fault, the likeliest first."""
    for remedy in _REMEDIES.get(fault, ()):
        yield from remedy(case)
