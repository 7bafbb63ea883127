"""Whether training or validation does clearly worse than it should, so that a suspicious fact deserves an alarm."""

from __future__ import annotations

from bugloss.observe.progress import adversaries, progress, struggles
from bugloss.observe.recording import Recording
from bugloss.observe.validation import accuracies, checkpoints, losses

_TIMES = 3  # measurements in a row: one or two bad epochs are seen in healthy runs
_WORSE_LOSS = 1.5  # times the training loss: the usual gap of a model that generalises is smaller
_WORSE_ACCURACY = 0.2  # a fifth of all samples: beyond what the noise of a small validation part explains
_FAR_ABOVE = 3.0  # times the loss at chance level: default initialisation starts within twice of it
_ABOVE = 2.0  # times the loss at chance level: a model that ends there has learned less than the class frequencies


def training_underperforms(recording: Recording) -> bool:
    """The model does not learn, or its loss began far above chance level and did not get far from there."""
    if adversaries(recording):
        return False
    if struggles(recording):
        return True
    return starts_far_above_chance(recording) and (not beats_chance(recording) or _ends_above_chance(recording))


def starts_far_above_chance(recording: Recording) -> bool:
    """Whether the first loss is several times that of chance level."""
    known = progress(recording)
    return known is not None and known.chance is not None and known.curve.first > _FAR_ABOVE * known.chance.loss


def _ends_above_chance(recording: Recording) -> bool:
    known = progress(recording)
    return known is not None and known.chance is not None and known.curve.last > _ABOVE * known.chance.loss


def beats_chance(recording: Recording) -> bool:
    """Whether the model ended far better than chance."""
    known = progress(recording)
    return known is not None and known.beats_chance


def validation_underperforms(recording: Recording) -> bool:
    """A validation loss of one and a half times the training loss, or an accuracy a fifth below, three times over."""
    found = checkpoints(recording)
    last = losses(found)[-_TIMES:]
    if len(last) == _TIMES and all(valid > _WORSE_LOSS * train > 0 for _, train, valid in last):
        return True
    rated = accuracies(found)[-_TIMES:]
    return len(rated) == _TIMES and all(valid < train - _WORSE_ACCURACY for _, train, valid in rated)
