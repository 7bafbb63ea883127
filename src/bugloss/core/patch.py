"""Patches: a change that may repair a program, the steps by which it was validated, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from bugloss.core.edit import Edit
from bugloss.core.finding import Safety
from bugloss.core.taxonomy import FixPattern


class PatchVerdict(Enum):
    """What became of a patch. Only ``FIXED`` may be applied without being asked for by name."""

    FIXED = "fixed"
    NOT_FIXED = "not-fixed"
    REGRESSED = "regressed"
    NOT_APPLIED = "not-applied"
    NOT_RUN = "not-run"
    FLAKY = "flaky"


class Rung(Enum):
    """The steps of validation, in the order in which they are taken."""

    APPLIES = "applies"  # the edit fits the files, and what comes out parses
    HONEST = "honest"  # no training dropped, no data cut, no exception caught, no test changed
    CHECK = "no-new-finding"  # check says nothing new about the patched program
    SIGNATURES = "same-signatures"  # public functions, and the keys of checkpoints
    STEP = "one-step"  # the network is built and makes a step
    SILENT = "symptom-silent"  # what fired before does not fire
    REVERTED = "symptom-returns"  # without the patch it does
    PAIRED = "paired-seeds"  # better than before, seed by seed, at equal budget
    CONTROL = "random-search"  # better than random changes of the same budget
    GUARDS = "guards"  # what else changed: parameters, time, memory, robustness


@dataclass(frozen=True, slots=True)
class RungResult:
    """One step of validation: ``passed`` is None where it only reports, or could not be tried."""

    rung: Rung
    passed: bool | None
    words: str
    measured: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Patch:
    """A candidate: the edit, the fix pattern it follows, how likely it helps, and why it is proposed."""

    edit: Edit
    fix_pattern: FixPattern
    confidence: float
    safety: Safety
    reason: str
    source: str = ""  # the cause, ``check:RULE`` or the pattern that proposes it
    warnings: tuple[str, ...] = ()  # what it costs: information that is lost, results that change
    changes_keys: bool = False  # whether checkpoints of the old program no longer fit


@dataclass(frozen=True, slots=True)
class TriedPatch:
    """A patch with its verdict and every step of validation that was taken; ``diff`` is what ``git apply`` takes."""

    patch: Patch
    verdict: PatchVerdict
    rungs: tuple[RungResult, ...] = ()
    diff: str = ""
    seconds: float = 0.0

    def result(self, rung: Rung) -> RungResult | None:
        """The outcome of a step, where it was taken."""
        return next((one for one in self.rungs if one.rung is rung), None)

    @property
    def stopped_at(self) -> RungResult | None:
        """The first step that failed."""
        return next((one for one in self.rungs if one.passed is False), None)

    @property
    def document(self) -> dict[str, object]:
        """The patch as outside programs read it."""
        paired = self.result(Rung.PAIRED)
        found = self.result(Rung.CHECK)
        measured = dict(paired.measured) if paired else {}
        evidence = {
            "before": measured.pop("before", {}),
            "after": measured.pop("after", {}),
            "seeds": measured.pop("seeds", 0),
            "p_value": measured.pop("p_value", None),
            "effect": measured.pop("effect", None),
            "new_findings": found.measured.get("new_findings", 0) if found else None,
            "steps": [
                {"step": one.rung.value, "passed": one.passed, "words": one.words, "measured": one.measured}
                for one in self.rungs
            ],
        }
        patch = self.patch
        return {
            "diff": self.diff,
            "fix_pattern": patch.fix_pattern.value,
            "safety": patch.safety.value,
            "verdict": self.verdict.value,
            "evidence": evidence,
            "location": {"path": patch.edit.path, "line": patch.edit.line},
            "confidence": patch.confidence,
            "reason": patch.reason,
            "source": patch.source,
            "warnings": list(patch.warnings),
            "edit": patch.edit.document,
            "seconds": self.seconds,
        }
