"""optimizer-of-other-parameters."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import latest_models
from bugloss.observe.recording import RecordedOptimizer, Recording
from bugloss.observe.sketch import sketch

_ALL = ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")


class OptimizerOfOtherParameters(Detector):
    """An optimizer has parameters that do not belong to the trained model.

    ## What it finds
    Optimizers that were built before the model was replaced, loaded, copied, wrapped or moved, and therefore update
    tensors that are no longer used.

    ## Why it hurts
    Steps are made and gradients exist, but the model does not change.

    ## How it decides
    Two sets are compared: what the optimizer updates and what the models contain. A tensor of the optimizer is foreign
    when it is in no model in use and got no gradient, so that optimized images and latent codes do not count. It is an
    error when all are foreign, or as many as parameters of the model are in no optimizer: the model was replaced. Some
    foreign tensors together with parameters in no optimizer are a warning; foreign tensors alone are not reported.

    ## Known problems
    A model that is called through a function that the probe does not see looks foreign.

    ## References
    huggingface/accelerate#2665, pytorch/pytorch#104336 (optimizers built before wrapping); torchtest2.
    """

    name = "optimizer-of-other-parameters"
    severity = Severity.ERROR
    category = Category.API
    faulty = (
        sketch(optimizer={"foreign": 4, "missing": _ALL}),
        sketch(optimizer={"foreign": 2, "missing": _ALL[2:]}),
        sketch(optimizer={"parameters": 6, "foreign": 3, "missing": _ALL}),
    )
    healthy = (
        sketch(optimizer={"parameters": 5, "foreign": 1}),
        sketch(optimizer={"parameters": 1, "foreign": 1}, models=()),
        sketch(optimizer={"parameters": 1, "foreign": 1, "missing": ()}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        if not any(model.trainable for model in latest_models(recording)):
            return
        for optimizer in recording.optimizers:
            if optimizer.foreign and optimizer.missing:
                yield self._describe(optimizer)

    def _describe(self, optimizer: RecordedOptimizer) -> Symptom:
        swapped = optimizer.foreign in (len(optimizer.missing), optimizer.parameters)
        return self.symptom(
            f"{optimizer.foreign} of the {optimizer.parameters} parameters in {optimizer.kind} belong to a model "
            f"that is not trained, and {len(optimizer.missing)} parameters of the trained model are in no optimizer.",
            step=0,
            site=optimizer.site,
            severity=Severity.ERROR if swapped else Severity.WARNING,
            foreign=optimizer.foreign,
            tensors=optimizer.parameters,
            missing=list(optimizer.missing),
        )
