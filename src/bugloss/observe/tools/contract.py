"""What a named tool is: it reads recordings and answers in the words of ``core.diagnosis``.

Tools of the literature are kept apart from our own detectors and arbiter, so that both can be tried on the same
recordings. A tool without an answer gives no causes; a remark says why.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bugloss.core.diagnosis import Cause, Symptom
from bugloss.observe.recording import Recording


@dataclass(frozen=True, slots=True)
class Suspect:
    """A layer, or one unit of it, with the score that a spectrum gives it."""

    layer: str
    score: float
    unit: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """Symptoms in the order they were seen, causes from the likeliest down, and the ranking where a tool makes one."""

    tool: str
    symptoms: tuple[Symptom, ...] = ()
    causes: tuple[Cause, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    remarks: tuple[str, ...] = ()


class Tool(ABC):
    """A technique that looks at one run (the first recording counts) or, for spectra, at several."""

    name: ClassVar[str]
    needs_several: ClassVar[bool] = False
    least_steps: ClassVar[int] = 1  # training steps of a run; with fewer the tool does not apply

    @abstractmethod
    def diagnose(self, recordings: Sequence[Recording]) -> ToolAnswer:
        """What the tool says of these runs of one program."""
