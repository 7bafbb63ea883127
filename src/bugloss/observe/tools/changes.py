"""The changes that the published tools can propose, with fix pattern and line.

All tools draw from this one list, so that their answers can be compared with each other and with ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from bugloss.core.diagnosis import Cause, Location, Site
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.recording import Recording


class ProposedChange(Enum):
    """A fault by the part that has to be changed; the value is the name of the cause."""

    LOSS = "wrong-loss-function"
    OPTIMIZER = "wrong-optimizer"
    LEARNING_RATE = "wrong-learning-rate"
    EPOCHS = "wrong-number-of-epochs"
    ACTIVATION = "wrong-activation"
    INITIALIZATION = "wrong-weight-initialization"
    DATA = "unnormalised-input"
    DEPTH = "wrong-number-of-layers"
    LAYER = "faulty-layer"  # the tool names the place and leaves the change to the reader

    @property
    def fix_pattern(self) -> FixPattern:
        """How such a fault is repaired."""
        return _PATTERNS[self]

    @property
    def advice(self) -> str:
        """What to do, in one sentence."""
        return _ADVICE[self]


_PATTERNS = {
    ProposedChange.LOSS: FixPattern.LOSS_FUNCTION,
    ProposedChange.OPTIMIZER: FixPattern.OPTIMIZER,
    ProposedChange.LEARNING_RATE: FixPattern.OPTIMIZER,
    ProposedChange.EPOCHS: FixPattern.ITERATIONS,
    ProposedChange.ACTIVATION: FixPattern.ACTIVATION,
    ProposedChange.INITIALIZATION: FixPattern.INITIALIZATION,
    ProposedChange.DATA: FixPattern.DATA_WRANGLING,
    ProposedChange.DEPTH: FixPattern.CHANGE_NEURAL_ARCHITECTURE,
    ProposedChange.LAYER: FixPattern.CHANGE_NEURAL_ARCHITECTURE,
}
_ADVICE = {
    ProposedChange.LOSS: "Choose a loss that fits the task and the output activation.",
    ProposedChange.OPTIMIZER: "Try another optimizer.",
    ProposedChange.LEARNING_RATE: "Change the learning rate.",
    ProposedChange.EPOCHS: "Change the number of epochs.",
    ProposedChange.ACTIVATION: "Use another activation function in this layer.",
    ProposedChange.INITIALIZATION: "Use another initialization for this layer.",
    ProposedChange.DATA: "Preprocess the data: scale the inputs, and bring the targets into the range of the output.",
    ProposedChange.DEPTH: "Change the number of layers.",
    ProposedChange.LAYER: "Check this layer: its size, its activation and its input.",
}


def cause(
    change: ProposedChange,
    recording: Recording,
    confidence: float,
    explanation: str,
    *,
    layer: str | None = None,
    symptoms: Sequence[str] = (),
    evidence: Sequence[str] = (),
) -> Cause:
    """The cause that says: change this, there."""
    return Cause(
        change.value, change.fix_pattern, confidence, explanation, change.advice,
        place(change, recording, layer, confidence), tuple(evidence), tuple(symptoms),
    )  # fmt: skip


def place(change: ProposedChange, recording: Recording, layer: str | None, score: float) -> tuple[Location, ...]:
    """The user's line that holds what is to be changed, where the recording knows it."""
    site = _site(change, recording, layer)
    return () if site is None else (Location(site.path, site.line, score, layer, change.advice),)


def _site(change: ProposedChange, recording: Recording, layer: str | None) -> Site | None:
    if change is ProposedChange.LOSS:
        return _first([loss.site for loss in recording.losses])
    if change in (ProposedChange.OPTIMIZER, ProposedChange.LEARNING_RATE):
        return _first([optimizer.site for optimizer in recording.optimizers])
    if change in (ProposedChange.DATA, ProposedChange.EPOCHS):  # in Keras the call of fit holds both
        return _first([data.site for data in recording.data] + [batch.site for batch in recording.batches])
    described = recording.layers.get(layer or "")
    return described.site if described else _first([model.site for model in recording.models])


def _first(sites: Sequence[Site | None]) -> Site | None:
    return next((site for site in sites if site is not None), None)
