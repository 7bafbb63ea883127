"""batch-size-extreme."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import data_of
from bugloss.observe.progress import progress
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch

_MANY_SAMPLES = 200  # with fewer samples every batch size is small or nearly the whole
_WHOLE = 0.5  # of all samples in one batch: two updates an epoch or fewer
_FEW_UPDATES = 100  # the usual recipes of small models make some hundred
_HARDLY_ANY_UPDATES = 50  # Adam at its default rate moves a weight by 0.05 at the most in these


class BatchSizeExtreme(Detector):
    """Batches are single samples, or so large that hardly any updates are made.

    ## What it finds
    Batches of one sample, and batches of half the data or more in a run of fewer than a hundred updates.

    ## Why it hurts
    A single sample gives a very noisy gradient. A batch of all the data gives one update per epoch, and the run ends
    before the model has learned the task.

    ## How it decides
    By the usual size of a batch and the size of the data, from two hundred samples on, in a run that did not learn its
    task. It is advice, since both can be intended, and a warning where large batches leave fewer than fifty updates and
    the loss ends at chance level.

    ## Known problems
    Large batches of a run that did not come to its end are not judged: it would have made more updates.
    Gradients that are accumulated over several batches of one sample are not noisy; such runs are left out.

    ## References
    Keskar et al., large batches (2017); DeepFD (2022).
    """

    name = "batch-size-extreme"
    severity = Severity.ADVICE
    category = Category.TRAINING
    faulty = (
        sketch([2.3, 2.1] * 100, steps={"batch": 1}, data={"batch_size": 1}),
        sketch([2.3, 2.2, 2.1, 2.0] * 5, steps={"batch": 640}, data={"batch_size": 640}),
    )
    healthy = (
        sketch(),
        sketch(steps={"batch": 1}, data={"batch_size": 1}),
        sketch([2.3, 2.1] * 100, steps={"batch": 1, "backwards": 16}),
        replace(sketch([2.3, 2.2, 2.1, 2.0] * 5, steps={"batch": 640}, data={"batch_size": 640}), unfinished=True),
        sketch([2.3] * 60, steps={"batch": 4}, data={"samples": 4, "batch_size": 4}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        data, known = data_of(recording, "train"), progress(recording)
        sizes = [step.batch for step in recording.steps if step.batch]
        if data is None or not data.samples or data.samples < _MANY_SAMPLES or not sizes:
            return
        if known is None or known.beats_chance or any((step.backwards or 1) > 1 for step in recording.steps):
            return
        size, updates = median(sizes), len(recording.steps)
        if size > 1 and (size < _WHOLE * data.samples or updates >= _FEW_UPDATES or recording.unfinished):
            return
        yield self.symptom(
            f"The batch size is {size:g} of {data.samples} samples, so the whole run makes {updates} updates.",
            step=0,
            site=data.site,
            severity=Severity.WARNING if size > 1 and updates < _HARDLY_ANY_UPDATES and known.at_chance else None,
            batch_size=size,
            samples=data.samples,
            updates=updates,
        )
