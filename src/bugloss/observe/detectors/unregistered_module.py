"""unregistered-module."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import latest_models
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch

_NAMED = 4  # more names make the message unreadable


class UnregisteredModule(Detector):
    """Layers or parameters are not registered with their model.

    ## What it finds
    Modules in plain lists, dictionaries or wrappers, and tensors that were meant to be parameters, which
    ``parameters()`` does not list.

    ## Why it hurts
    They are not trained, not moved to the device, not switched to evaluation and not saved, but every forward pass uses
    them.

    ## How it decides
    The probe walks the attributes of the model and compares what it finds with ``parameters()``. What is missing is
    named. Where the optimizer was given these tensors separately, it is intended: advice.

    ## Known problems
    Some programs keep a fixed teacher network in a list on purpose.

    ## References
    ``torch.nn.ModuleList`` and ``ModuleDict`` exist for this reason.
    """

    name = "unregistered-module"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(model={"unregistered": ("layers[0]", "layers[1]")}),
        sketch(model={"unregistered": ("scale",)}),
        sketch(model={"unregistered": ("layers[0]",)}, optimizer={"foreign": 2, "parameters": 6}),
    )
    healthy = (sketch(), sketch(models=()), sketch(optimizer={"foreign": 2}))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        elsewhere = any(optimizer.foreign for optimizer in recording.optimizers)
        for model in latest_models(recording):
            names = model.unregistered
            if not names:
                continue
            shown = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
            yield self.symptom(
                f"{model.kind} contains {shown}, whose weights are not in its parameters().",
                step=model.step,
                layer=names[0],
                site=model.site,
                severity=Severity.ADVICE if elsewhere else Severity.WARNING,
                unregistered=list(names),
            )
