"""Whether a run shows the harm that a suspicious fact would do, so that the fact deserves an alarm."""

from __future__ import annotations

from bugloss.observe.progress import adversaries, progress, struggles
from bugloss.observe.recording import Recording
from bugloss.observe.validation import accuracies, checkpoints, losses

_TIMES = 3
_WORSE_LOSS = 1.5
_WORSE_ACCURACY = 0.2
_ABSURD, _ABOVE = 3.0, 2.0  # times the loss of guessing


def training_suffers(recording: Recording) -> bool:
    """The model does not learn, or its loss began far above that of guessing and did not get far from there."""
    if adversaries(recording):
        return False
    absurd = starts_absurdly(recording) and (not knows_its_task(recording) or _ends_above_guessing(recording))
    return struggles(recording) or absurd


def starts_absurdly(recording: Recording) -> bool:
    """Whether the first loss is several times what guessing costs."""
    known = progress(recording)
    return known is not None and known.chance is not None and known.curve.first > _ABSURD * known.chance.loss


def _ends_above_guessing(recording: Recording) -> bool:
    known = progress(recording)
    return known is not None and known.chance is not None and known.curve.last > _ABOVE * known.chance.loss


def knows_its_task(recording: Recording) -> bool:
    """Whether the model ended far better than chance."""
    known = progress(recording)
    return known is not None and known.knows_its_task


def validation_suffers(recording: Recording) -> bool:
    """A validation loss of one and a half times the training loss, or an accuracy a fifth below, three times over."""
    found = checkpoints(recording)
    last = losses(found)[-_TIMES:]
    if len(last) == _TIMES and all(valid > _WORSE_LOSS * train > 0 for _, train, valid in last):
        return True
    rated = accuracies(found)[-_TIMES:]
    return len(rated) == _TIMES and all(valid < train - _WORSE_ACCURACY for _, train, valid in rated)
