"""dropout-active-in-evaluation."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.modes import drops, find_wrong_modes
from bugloss.observe.recording import Evaluation, RecordedLayer, Recording
from bugloss.observe.sketch import sketch

_LAYERS = (RecordedLayer("fc1", "Linear", 680, 680), RecordedLayer("drop", "Dropout", settings={"rate": 0.5}))
_NO_RATE = (RecordedLayer("fc1", "Linear", 680, 680), RecordedLayer("drop", "Dropout", settings={"rate": 0.0}))
_ACTIVE = Evaluation(99, 5, 320, 0.6, 0.7, ("drop",))


class DropoutActiveInEvaluation(Detector):
    """The model is evaluated while its dropout layers are active.

    ## What it finds
    Evaluations, that is forward passes that no backward pass follows, with dropout layers in training mode.

    ## Why it hurts
    Random activations are dropped: results are worse than they should be and differ from one evaluation to the next.
    Early stopping and model selection become noisy.

    ## How it decides
    The mode of every dropout layer is read during the evaluation. It is a warning when a loss or an accuracy came
    out, or when the passes ran without autograd; otherwise advice. Passes without a result that come with every step
    are part of training and do not count.

    ## Known problems
    Monte-Carlo dropout does this on purpose. Dropout that is called as a function has no mode to read; the property
    probe ``deterministic-evaluation`` sees it.

    ## References
    ``torch.nn.Module.eval``; pytorch/pytorch#76383 (requests this warning).
    """

    name = "dropout-active-in-evaluation"
    severity = Severity.WARNING
    category = Category.API
    faulty = (
        sketch(architecture=_LAYERS, evaluations=(_ACTIVE,)),
        sketch(architecture=_LAYERS, evaluations=(Evaluation(99, 5, 320, training_modes=("drop",)),)),
    )
    healthy = (
        sketch(architecture=_LAYERS, evaluations=(Evaluation(99, 5, 320, 0.4, 0.8),)),
        sketch(architecture=_NO_RATE, evaluations=(_ACTIVE,)),
        sketch(architecture=_LAYERS, evaluations=(Evaluation(99, 5, 320, 0.6, 0.7, ("bn",)),)),
        sketch(
            architecture=_LAYERS,
            evaluations=tuple(Evaluation(step, 1, 64, training_modes=("drop",)) for step in range(100)),
        ),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found = find_wrong_modes(recording, drops)
        if found is not None:
            message = f"{found.names} is active (training mode) in {found.count} of {found.total} evaluations."
            yield self.symptom(message, **found.facts(recording))
