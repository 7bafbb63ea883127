"""never-stepped."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import number
from bugloss.observe.recording import Batch, Evaluation, LayerNumbers, Numbers, Occasion, Recording, Sample
from bugloss.observe.sketch import sketch

_LEAST = 10  # fewer backward passes or batches may be a test of the model
_BATCH = Batch(0, "train", 64, (Numbers((64, 16), "float32", -3.0, 3.0, 0.0, 1.0),))
_LOST = (Occasion("backward-without-step", 0, facts={"backwards": 40}),)
_STILL = LayerNumbers(gradient_rms=0.01, changed=False)


class NeverStepped(Detector):
    """A loss is computed for training, but no optimizer changes a weight.

    ## What it finds
    Programs in which a loss with gradients is computed repeatedly, with or without a backward pass, while no optimizer
    takes a single step.

    ## Why it hurts
    Nothing is learned. The loss only varies with the batches, which looks like very noisy and slow training.

    ## How it decides
    There is a loss and no update at all. If weights got gradients, it is an error. Ten forward passes or more that
    autograd recorded, with a loss and with dropout or batch norm in training mode, make it a warning; without such
    layers it may be an evaluation that forgot ``no_grad`` and stays advice.

    ## Known problems
    Weights that the program changes by hand, without an optimizer, look the same unless the probe saw them change.

    ## References
    TrainCheck (2025), case "model not updating"; ``torch.optim.Optimizer.step``.
    """

    name = "never-stepped"
    severity = Severity.ERROR
    category = Category.API
    faulty = (
        sketch([], optimizers=(), samples=tuple(Sample(step, layers={"fc1": _STILL}) for step in range(3))),
        sketch([], optimizers=(), samples=(), occasions=_LOST),
        sketch(
            [], optimizers=(), samples=(), batches=(),
            evaluations=(Evaluation(0, 40, 2560, 2.3, training_modes=("drop",), gradients_on=True),),
        ),
    )  # fmt: skip
    healthy = (
        sketch(),
        sketch([], optimizers=(), samples=(), batches=(), evaluations=(Evaluation(0, 40, 2560, 2.3),)),
        sketch([], optimizers=(), samples=(), batches=(_BATCH,), loss_functions=()),
        sketch([]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        if recording.steps or not recording.losses or recording.crash is not None or _weights_move(recording):
            return
        site = recording.losses[0].site
        lost = [item for item in recording.occasions if item.kind == "backward-without-step"]
        passes = sum(item.batches for item in recording.evaluations if item.gradients_on and item.loss is not None)
        sampled = sum(_has_gradients(sample) for sample in recording.samples)
        backwards = max((int(number(item.facts, "backwards") or 0) for item in lost), default=sampled)
        if backwards >= 2:
            yield self.symptom(
                f"Gradients are computed {backwards} times, but no optimizer takes a step.",
                site=lost[0].site if lost else site,
                backward_passes=backwards,
            )
        elif passes >= _LEAST:
            training = any(item.training_modes for item in recording.evaluations if item.gradients_on)
            yield self.symptom(
                f"A loss is computed on {passes} batches, but the weights are never updated.",
                site=site,
                severity=Severity.WARNING if training else Severity.ADVICE,
                passes=passes,
                training_mode=training,
            )


def _has_gradients(sample: Sample) -> bool:
    return any(numbers.gradient_rms is not None for numbers in sample.layers.values())


def _weights_move(recording: Recording) -> bool:
    return any(numbers.changed for sample in recording.samples for numbers in sample.layers.values())
