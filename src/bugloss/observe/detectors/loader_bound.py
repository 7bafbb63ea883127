"""loader-bound."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import data_of
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch

_LEAST_STEPS = 20  # the first steps wait for workers to start
_MUCH = 0.5  # of the time is waiting: training would be twice as fast without it
_LEAST_SECONDS = 0.5  # waiting in all: below that nobody minds


class LoaderBound(Detector):
    """Training waits for its data most of the time.

    ## What it finds
    Runs that spend half of their time or more waiting for the next batch.

    ## Why it hurts
    The model, and the accelerator it runs on, are idle. Results are correct, but late.

    ## How it decides
    The probe measures how long each step waited for its batch. The first step, which starts the loader, is left out;
    twenty steps and half a second of waiting are required.

    ## Known problems
    Work that the program does itself between loading and training counts as neither.

    ## References
    ``num_workers`` of ``torch.utils.data.DataLoader``, ``tf.data.Dataset.prefetch``.
    """

    name = "loader-bound"
    severity = Severity.ADVICE
    category = Category.TRAINING
    faulty = (
        sketch(steps={"seconds": 0.1, "waited": 0.08}),
        sketch(steps={"seconds": 0.02, "waited": 0.015}, data={"workers": 0}),
    )
    healthy = (
        sketch(),
        sketch(steps={"seconds": [5.0, 0.1], "waited": [4.9, 0.01]}),
        sketch(steps={"seconds": 0.001, "waited": 0.0008}),
        sketch(steps={"waited": None}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        timed = [(step.seconds, step.waited) for step in recording.steps[1:]]
        known = [(seconds, waited) for seconds, waited in timed if seconds is not None and waited is not None]
        seconds, waited = sum(pair[0] for pair in known), sum(pair[1] for pair in known)
        if len(known) < _LEAST_STEPS or not waited >= max(_MUCH * seconds, _LEAST_SECONDS):
            return
        data = data_of(recording, "train")
        workers = data.workers if data is not None else None
        yield self.symptom(
            f"Training waits for data {waited / seconds:.0%} of the time"
            + (f", with {workers} loader workers." if workers is not None else "."),
            site=data.site if data is not None else None,
            waited_share=waited / seconds,
            seconds=seconds,
            workers=workers,
        )
