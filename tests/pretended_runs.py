"""Runs and laboratories that are only pretended: what a program would do is said by the test."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bugloss.core.report import Reading, Report
from bugloss.core.run import Frame, Isolation, Limits, Outcome, RaisedException, Run, Settings, Stream
from bugloss.intake.reading import take_apart

SCRIPT = "repro.py"


def reading_of(body: str, title: str = "") -> Reading:
    """A report taken apart."""
    return take_apart(Report(title, body))


def raised(kind: str, message: str, line: int = 1, library: str = "", text: str = "") -> RaisedException:
    """An exception that went through a line of the script and, where one is named, a function of a library."""
    frames = [Frame(SCRIPT, line, "<module>", text)]
    if library:
        frames.append(Frame("/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py", 134, library))
    return RaisedException(kind, f"builtins.{kind}", message, ("Exception",), tuple(frames))


def ended(printed: str = "", exception: RaisedException | None = None, outcome: Outcome | None = None) -> Run:
    """A run with this output and this end."""
    how = outcome or (Outcome.RAISED if exception is not None else Outcome.FINISHED)
    return Run(
        command=("python", SCRIPT),
        outcome=how,
        exit_code=0 if how is Outcome.FINISHED else 1,
        seconds=0.1,
        peak_megabytes=None,
        exception=exception,
        evidence=(),
        stdout=Stream(printed),
        stderr=Stream(),
        settings=Settings(),
        limits=Limits(),
        isolation=Isolation("limits"),
        environment="pretended",
        python="3.11",
        started_at="",
    )


class PretendedLaboratory:
    """Runs nothing: a function says how each text would end. ``texts`` are those that were asked for."""

    script = SCRIPT

    def __init__(self, ending: Callable[[str], Run], at_once: int = 1) -> None:
        self.ending = ending
        self.at_once = at_once
        self.texts: list[str] = []

    def run(self, texts: Sequence[str]) -> list[Run]:
        self.texts += texts
        return [self.ending(text) for text in texts]
