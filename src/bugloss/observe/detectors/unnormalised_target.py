"""unnormalised-target."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.loss import regresses
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.heads import main_loss
from bugloss.observe.labels import encoding, first_target
from bugloss.observe.progress import struggles
from bugloss.observe.recording import Numbers, Recording, Targets
from bugloss.observe.sketch import falling, sketch

_LARGE = 100.0  # an output layer of default size starts within one, and takes as many updates as this is larger
_OFF_CENTRE = 10.0  # deviations: the bias has to travel there before anything else is learned
_MSE = {"kind": "mse", "name": "MSELoss", "output_shape": (64, 1), "target_shape": (64, 1)}
_REAL = Targets("real")


def _prices(mean: float, std: float) -> dict[str, object]:
    return {"targets": _REAL, "target": Numbers((64, 1), "float32", mean - 3 * std, mean + 3 * std, mean, std)}


class UnnormalisedTarget(Detector):
    """Regression targets are large, or far from zero compared with their spread.

    ## What it finds
    Targets with a deviation of a hundred or more, or a mean ten deviations away from zero.

    ## Why it hurts
    The network starts near zero and must first learn a huge constant. A squared error makes gradients as large as the
    targets, so that the usual learning rates are too high or too low.

    ## How it decides
    By mean and deviation of the training targets with a regression loss. It is a warning when the model does not learn,
    advice otherwise.

    ## Known problems
    A model that scales its outputs itself is not affected; it learns, and this stays advice.

    ## References
    Bishop, "Neural networks for pattern recognition" (1995), chapter 8 on scaling of targets.
    """

    name = "unnormalised-target"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([6e10] * 100, loss=_MSE, batch=_prices(2e5, 7e4)),
        sketch(falling(1e6, 5e5), loss=_MSE, batch=_prices(1000.0, 20.0)),
    )
    healthy = (
        sketch(loss=_MSE, batch=_prices(0.0, 1.0)),
        sketch(loss=_MSE, batch=_prices(5.0, 2.0)),
        sketch(),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        loss, target = main_loss(recording), first_target(recording)
        if loss is None or not regresses(loss.kind) or target is None or encoding(recording) not in ("real", ""):
            return
        if target.std < _LARGE and not abs(target.mean) >= _OFF_CENTRE * target.std > 0:
            return
        yield self.symptom(
            f"The targets have mean {target.mean:.4g} and standard deviation {target.std:.3g}.",
            step=0,
            site=loss.site,
            severity=Severity.WARNING if struggles(recording) else Severity.ADVICE,
            mean=target.mean,
            deviation=target.std,
        )
