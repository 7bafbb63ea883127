"""bias-initialization."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.loss import regresses
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.heads import main_loss
from bugloss.observe.labels import first_target
from bugloss.observe.layer_kinds import fan_in, is_norm
from bugloss.observe.progress import struggles
from bugloss.observe.recording import LayerNumbers, LossFunction, Numbers, RecordedLayer, Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.tracks import Track, last_with_weights, tracks

Problem = tuple[Severity, str]

# Of what the weights contribute: half can be meant, three times hides the input, ten leaves nothing of it.
_NOTABLE, _FAR, _ABSURD = 0.5, 3.0, 10.0
_LEAST = 0.5  # a smaller bias cannot matter to inputs of deviation one
_SATURATES = 6.0  # a sigmoid of this is 0.998, and its gradient a hundredth of the largest
_BINARY = {"kind": "binary-cross-entropy", "output_shape": (64, 1), "target_shape": (64, 1)}
_MSE = {"kind": "mse", "name": "MSELoss", "output_shape": (64, 1), "target_shape": (64, 1)}
_FIFTY = Numbers((64, 1), "float32", 45.0, 55.0, 50.0, 2.0)


def _bias(layer: str, mean: float) -> dict[str, dict[str, object]]:
    return {layer: {"bias_mean": [mean, mean * 0.99], "bias_maximum": abs(mean)}}


class BiasInitialization(Detector):
    """A bias is initialized far from a useful value.

    ## What it finds
    Hidden biases that outweigh what the weights contribute, and output biases that start farther from the targets than
    zero would, or that saturate the sigmoid after them.

    ## Why it hurts
    Large positive biases make a ReLU layer linear, large negative ones switch it off; tanh and sigmoid saturate. An
    output bias that is far off must be corrected before anything else is learned.

    ## How it decides
    Before the first update, the mean bias of a layer is compared with the deviation of what its weights add up to for
    inputs of deviation one. Ten times as much is a warning, three times a warning where the model does not learn;
    half as much is advice. Output biases are compared with the mean of regression targets, or with what saturates a
    sigmoid. Equal biases of a softmax cancel out. Where norm layers follow, everything is advice.

    ## Known problems
    Weights that were loaded from a checkpoint are treated like new ones.

    ## References
    Defaults: zeros in Keras, at most one over the root of the inputs in PyTorch. Prior biases: Lin et al., RetinaNet
    (2017).
    """

    name = "bias-initialization"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(layers=_bias("fc1", -20.0)),
        sketch([2.3] * 100, layers=_bias("fc1", 5.0)),
        sketch(layers=_bias("fc1", 1.0)),
        sketch(loss=_BINARY, layers=_bias("fc2", 9.0)),
        sketch(loss=_MSE, layers=_bias("fc2", -300.0), batch={"target": _FIFTY}),
    )
    healthy = (
        sketch(),
        sketch(layers=_bias("fc2", 30.0)),  # equal for all classes of a softmax
        sketch(loss=_BINARY, layers=_bias("fc2", -4.6)),
        sketch(loss=_MSE, layers=_bias("fc2", 49.0), batch={"target": _FIFTY}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found = tracks(recording)
        last = last_with_weights(found)
        normed = {track.model for track in found if is_norm(track.layer)}
        for track in found:
            start = next((numbers for step, numbers in track.points if step == 0), None)
            if start is None or start.bias_mean is None or not math.isfinite(start.bias_mean) or track.is_norm:
                continue
            if last.get(track.model) == track.name:
                problem = _of_output(recording, start.bias_mean)
            else:
                problem = _of_hidden(recording, track.layer, start)
            if problem is not None:
                severity, text = problem
                yield self._describe(
                    track, start.bias_mean, Severity.ADVICE if track.model in normed else severity, text
                )

    def _describe(self, track: Track, mean: float, severity: Severity, text: str) -> Symptom:
        return self.symptom(
            f"The biases of {track.name} start at {mean:.3g} on average, {text}.",
            step=0,
            layer=track.name,
            site=track.layer.site,
            severity=severity,
            bias_mean=mean,
        )


def _of_hidden(recording: Recording, layer: RecordedLayer, start: LayerNumbers) -> Problem | None:
    inputs = fan_in(layer)
    mean = abs(start.bias_mean or 0.0)
    if inputs is None or start.weight_std is None or not start.weight_std > 0 or mean < _LEAST:
        return None
    ratio = mean / (start.weight_std * math.sqrt(inputs))
    if ratio < _NOTABLE:
        return None
    sure = ratio >= _ABSURD or (ratio >= _FAR and struggles(recording))
    return Severity.WARNING if sure else Severity.ADVICE, f"{ratio:.1f} times as much as its weights contribute"


def _of_output(recording: Recording, mean: float) -> Problem | None:
    loss = main_loss(recording)
    if loss is None:
        return None
    if loss.kind == "binary-cross-entropy" and abs(mean) >= _SATURATES:
        return Severity.WARNING, "which saturates the sigmoid after it"
    return _of_distance(recording, loss, mean) if regresses(loss.kind) else None


def _of_distance(recording: Recording, loss: LossFunction, mean: float) -> Problem | None:
    target = first_target(recording)
    if target is None or not target.std > 0:
        return None
    distance = abs(mean - target.mean)
    if distance < _ABSURD * target.std or distance < 2 * abs(target.mean):
        return None
    return Severity.WARNING, f"but the targets have mean {target.mean:.3g} and standard deviation {target.std:.3g}"
