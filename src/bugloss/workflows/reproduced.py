"""What is asked of a reproduction and what came of it, as values and as a document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bugloss.core.codec import encode
from bugloss.core.reproduction import Attempt, ConfirmingRun, Level, ProgramEdit, Quote
from bugloss.core.run import Isolation
from bugloss.reproduce.expected.oracle import Expectation
from bugloss.reproduce.expected.verdict import RunMatch
from bugloss.reproduce.stack.era import Choice
from bugloss.run.environment import Environment

CONFIRMATIONS = 5

Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ReproductionRequest:
    """What the caller asks for."""

    budget: float = 120.0
    stack: str | None = None
    python: str | None = None
    as_of: date | None = None
    offline: bool = False
    isolation: Isolation | None = None
    timeout: float = 30.0
    runs: int = CONFIRMATIONS
    shrink: bool = True
    jobs: int = 1
    packages: tuple[str, ...] = ()  # to be added to the environment
    beside: Path | None = None  # a folder whose files lie beside the program, such as the sources of a library

    @property
    def own_python(self) -> str | None:
        """The interpreter that is named, where it is not a version."""
        return self.python if self.python and not re.fullmatch(r"[\d.]+", self.python) else None


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What came of a report."""

    level: Level
    reason: str
    expectation: Expectation
    match: RunMatch | None = None
    script: str = ""
    log: tuple[ProgramEdit, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    runs: tuple[ConfirmingRun, ...] = ()
    environment: Environment | None = None
    choice: Choice | None = None
    attempts: tuple[Attempt, ...] = ()
    questions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    seconds: float = 0.0
    isolation: str = ""
    stopped: str = ""

    @property
    def reproduced(self) -> bool:
        """Whether the same failure was seen, or one of its kind."""
        return self.level.rank >= Level.SIMILAR.rank

    @property
    def expected_words(self) -> str:
        """What was looked for, in one line."""
        expected = self.expectation
        if expected.exception is not None:
            return f"{expected.exception.kind}: {_first_line(expected.exception.message)}".strip(": ")
        if expected.symptoms:
            return ", ".join(kind.value for kind in expected.symptoms[: expected.primary])
        unclear = "the report does not describe it in a way that can be tested"
        return f"it prints {expected.value}" if expected.value else unclear

    @property
    def observed_words(self) -> str:
        """What the best run showed, in one line."""
        seen = self.match.observed if self.match is not None else None
        if seen is None:
            return ""
        if seen.exception:
            return f"{seen.exception}: {_first_line(seen.message)} ({seen.frame})"
        return seen.symptom or seen.message or "no error"

    def command(self, folder: Path) -> str:
        """How anyone can run the script."""
        python = self.environment.python if self.environment is not None else "python"
        return f"{python} {(folder / 'repro.py').as_posix()}"

    @property
    def is_flaky(self) -> bool:
        """Whether the confirming runs disagree."""
        matched = sum(run.outcome == "match" for run in self.runs)
        return 0 < matched < len(self.runs)


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0][:300]


def document(found: Reproduction, folder: str) -> dict[str, object]:
    """The keys that outside programs rely on, and some more."""
    environment, choice = found.environment, found.choice
    return {
        "verdict": found.level.value,
        "reason": found.reason,
        "script": f"{folder}/repro.py" if found.script else None,
        "expected": _expected(found.expectation),
        "observed": encode(found.match.observed) if found.match is not None else None,
        "edits": [_edit(entry, lines) for entry, lines in zip(found.log, found.lines, strict=True)],
        "runs": list(found.runs),
        "flaky": found.is_flaky,
        "environment": environment.digest if environment is not None else None,
        "stack": choice.stack if choice is not None else None,
        "python": environment.python if environment is not None else None,
        "isolation": found.isolation,
        "era": list(choice.reasons) if choice is not None else [],
        "questions": list(found.questions),
        "attempts": len(found.attempts),
        "stopped": found.stopped,
        "seconds": found.seconds,
        "remarks": list(found.remarks),
    }


def _expected(expected: Expectation) -> dict[str, object]:
    described: dict[str, object] = {"kind": expected.kind.value}
    if expected.exception is not None:
        one = expected.exception
        described |= {"exception": one.kind, "message": one.message, "function": one.function}
    if expected.symptoms:
        described |= {"symptom": expected.symptoms[0].value, "also": [kind.value for kind in expected.symptoms[1:]]}
    if expected.value:
        described |= {"value": expected.value, "instead_of": expected.instead_of}
    return described | {"evidence": _quoted(expected.quotes[:5])}


def _edit(entry: ProgramEdit, lines: tuple[int, int]) -> dict[str, object]:
    return {
        "action": entry.action.value,
        "why": entry.why,
        "lines": list(lines),
        "evidence": _quoted(entry.quotes),
        "needed": entry.needed,
        "question": entry.question or None,
    }


def _quoted(quotes: Iterable[Quote]) -> list[dict[str, object]]:
    return [{"text": quote.text, "start": quote.start, "end": quote.end} for quote in quotes]
