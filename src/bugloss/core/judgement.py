"""What a run, and then a bug's repeated runs, are judged to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Grade(Enum):
    """The answer of a bug's test about one run of one program."""

    FAIL = "fail"
    PASS = "pass"
    UNDECIDED = "undecided"
    STRANGE = "strange"  # it failed, but not in the way the oracle describes
    NOT_RUN = "not-run"  # the machine's doing: neither a pass nor a fail


@dataclass(frozen=True, slots=True)
class Judgement:
    """A grade and the sentence that justifies it."""

    grade: Grade
    reason: str
    measured: Mapping[str, object] = field(default_factory=dict)


class Standing(Enum):
    """What repeated runs of both programs say about a bug."""

    ACTIVE = "active"
    FLAKY = "flaky"
    BROKEN = "broken"
    NOT_RUN = "not-run"


@dataclass(frozen=True, slots=True)
class Stability:
    """The counts behind a standing, in the words of the interface: ``5/5 fail``, ``5/5 pass``."""

    standing: Standing
    buggy: str
    fixed: str
    reason: str | None = None
    comparison: Mapping[str, float] = field(default_factory=dict)
