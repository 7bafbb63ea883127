"""framework-warning."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.known_warnings import KNOWN_WARNINGS, KnownWarning
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch


def _warning(message: str) -> tuple[Occasion, ...]:
    return (Occasion("warning", 3, facts={"message": message, "category": "UserWarning"}),)


class FrameworkWarning(Detector):
    """The framework printed a warning about a real fault.

    ## What it finds
    Warnings of PyTorch, Keras, TensorFlow and NumPy that are known to indicate a real fault and are easily overlooked:
    broadcast targets, ignored arguments, missing gradients, data that ran out, metrics that do not exist.

    ## Why it hurts
    It depends on the warning; the message says what it means.

    ## How it decides
    By a table of warning texts. Harmless and deprecation warnings are not in it.

    ## Known problems
    Warnings that are written to a log, as TensorFlow sometimes does, and not raised as Python warnings are not seen.

    ## References
    The sources of PyTorch, Keras and NumPy, where these warnings are raised.
    """

    name = "framework-warning"
    severity = Severity.WARNING
    category = Category.API
    faulty = tuple(sketch(occasions=_warning(known.example)) for known in KNOWN_WARNINGS)
    healthy = (
        sketch(),
        sketch(occasions=_warning("torch.meshgrid: in an upcoming release, indexing will have to be given.")),
        sketch(occasions=(Occasion("warning", 0), Occasion("checkpoint", 9))),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        said: set[str] = set()
        for occasion in recording.occasions:
            message = occasion.facts.get("message") if occasion.kind == "warning" else None
            known = _recognise(message) if isinstance(message, str) else None
            if known is None or known.meaning in said:
                continue
            said.add(known.meaning)
            yield self.symptom(
                f"{known.meaning} (“{_shortened(str(message))}”).",
                step=occasion.step,
                site=occasion.site,
                severity=known.severity,
                warning=str(message),
                times=occasion.count,
            )


def _recognise(message: str) -> KnownWarning | None:
    return next((known for known in KNOWN_WARNINGS if re.search(known.pattern, message, re.IGNORECASE)), None)


def _shortened(message: str) -> str:
    plain = " ".join(message.split())
    return plain if len(plain) <= 100 else plain[:99] + "…"
