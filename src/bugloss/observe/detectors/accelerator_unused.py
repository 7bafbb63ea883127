"""accelerator-unused."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Recording, Started
from bugloss.observe.sketch import sketch

_WITH = Started("torch", "2.13.0", device="cpu", accelerator=True)
_LEAST_SECONDS = 1.0  # a shorter run is over before a model would have been moved


class AcceleratorUnused(Detector):
    """The machine has an accelerator, and the model trains without it.

    ## What it finds
    Training on the CPU although the machine has a GPU or another accelerator.

    ## Why it hurts
    Training takes many times as long as necessary.

    ## How it decides
    The probe reads the device of the model's parameters and asks the framework for accelerators. Runs of less than a
    second are left out. Keras uses an accelerator by itself and is left out.

    ## Known problems
    Very small models may be faster on the CPU.

    ## References
    ``torch.Tensor.to``; ``tf.config.list_physical_devices``.
    """

    name = "accelerator-unused"
    severity = Severity.ADVICE
    category = Category.GPU
    faulty = (sketch(started=_WITH), sketch(started=_WITH, steps={"seconds": 60.0}))
    healthy = (
        sketch(),
        sketch(started=Started("torch", "2.13.0", device="cuda:0", accelerator=True)),
        sketch([2.3, 2.2, 2.1], started=_WITH),
        sketch(started=Started("keras", "3.15.0", accelerator=True)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        started = recording.started
        seconds = sum(step.seconds for step in recording.steps if step.seconds is not None)
        if started is None or started.framework != "torch" or not started.accelerator:
            return
        if not started.device.startswith("cpu"):
            return
        if seconds < _LEAST_SECONDS:
            return
        yield self.symptom(
            f"The model trained on the CPU for {seconds:.0f} seconds, although this machine has a GPU or another "
            "accelerator.",
            device=started.device,
            seconds=seconds,
        )
