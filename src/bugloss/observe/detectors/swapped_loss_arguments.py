"""swapped-loss-arguments."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.loss import classifies, is_symmetric
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch

_UNKNOWN = {"rmse", "custom"}  # a formula of the program, which may be symmetric


class SwappedLossArguments(Detector):
    """Output and target are swapped in the call of the loss.

    ## What it finds
    Calls of a loss whose output has no gradient while its target does.

    ## Why it hurts
    Cross-entropies are not symmetric: with swapped arguments their value and their gradient are wrong.

    ## How it decides
    At the first call the probe checks which argument requires a gradient; the output must. Losses that are the same
    both ways, such as the squared error, are left out.

    ## Known problems
    A loss between two networks, of which the first is fixed, looks swapped. It is a warning, not an error, for losses
    other than cross-entropies.

    ## References
    PyTorch calls ``loss(output, target)``, Keras ``loss(target, output)``.
    """

    name = "swapped-loss-arguments"
    severity = Severity.ERROR
    category = Category.API
    faulty = (
        sketch(loss={"swapped": True}),
        sketch(loss={"kind": "kl-divergence", "name": "KLDivLoss", "swapped": True}),
    )
    healthy = (sketch(), sketch(loss={"kind": "mse", "name": "MSELoss", "swapped": True}))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for loss in recording.losses:
            if loss.swapped and not is_symmetric(loss.kind) and loss.kind not in _UNKNOWN:
                yield self.symptom(
                    f"{loss.name} gets a first argument without gradients and a second one with gradients: output "
                    "and target are swapped.",
                    step=0,
                    site=loss.site,
                    severity=Severity.ERROR if classifies(loss.kind) else Severity.WARNING,
                    loss=loss.name,
                )
