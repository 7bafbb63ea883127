"""norm-in-training-mode-in-evaluation."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.modes import find_wrong_modes, keeps_statistics
from bugloss.observe.recording import Evaluation, RecordedLayer, Recording
from bugloss.observe.sketch import sketch

_LAYERS = (RecordedLayer("fc1", "Linear", 680, 680), RecordedLayer("bn", "BatchNorm1d", 80, 80))
_UNTRACKED = (_LAYERS[0], RecordedLayer("bn", "BatchNorm1d", 80, 80, {"track_running_stats": False}))
_ACTIVE = Evaluation(99, 5, 320, 0.6, 0.7, ("bn",))


class NormInTrainingModeInEvaluation(Detector):
    """The model is evaluated with batch normalization in training mode.

    ## What it finds
    Evaluations with batch-norm layers in training mode.

    ## Why it hurts
    The output for a sample depends on the others in its batch, results change with the batch size, and the evaluation
    data leak into the running statistics.

    ## How it decides
    The mode of every batch norm is read during the evaluation. It is a warning when a loss or an accuracy came out,
    or when the passes ran without autograd; otherwise advice. Passes without a result that come with every step, and
    models made for averaging weights, are part of training and do not count.

    ## Known problems
    Test-time adaptation does this on purpose.

    ## References
    ``torch.nn.Module.eval``; pytorch/pytorch#76383.
    """

    name = "norm-in-training-mode-in-evaluation"
    severity = Severity.WARNING
    category = Category.API
    faulty = (
        sketch(architecture=_LAYERS, evaluations=(_ACTIVE,)),
        sketch(architecture=_LAYERS, evaluations=(Evaluation(50, 5, 320, training_modes=("bn",)),)),
    )
    healthy = (
        sketch(architecture=_LAYERS, evaluations=(Evaluation(99, 5, 320, 0.4, 0.8),)),
        sketch(architecture=_UNTRACKED, evaluations=(_ACTIVE,)),
        sketch(
            architecture=_LAYERS, model={"kind": "AveragedModel"},
            evaluations=(Evaluation(99, 10, 640, training_modes=("bn",)),),
        ),
        sketch(architecture=_LAYERS, evaluations=(Evaluation(99, 5, 320, 0.6, 0.7, ("drop",)),)),
    )  # fmt: skip

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found = find_wrong_modes(recording, keeps_statistics)
        if found is not None:
            what = f"{found.names} normalizes with the statistics of the batch (training mode)"
            message = f"{what} in {found.count} of {found.total} evaluations."
            yield self.symptom(message, **found.facts(recording))
