"""What is known about a bug, stored beside the cells so that grading needs no corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bugloss.core.bug import BugKind
from bugloss.evaluate.matrix.cell import ClaimedLine

REAL, UPSTREAM, SYNTHETIC = BugKind.REAL.value, BugKind.UPSTREAM.value, BugKind.SYNTHETIC.value
KINDS = (REAL, UPSTREAM, SYNTHETIC)
NEAR = 3  # lines: a statement with its call, or a loop's head with its first statement, is rarely longer


@dataclass(frozen=True, slots=True)
class BugFacts:
    """Labels of a bug, and the lines of the buggy program that its fix changes."""

    bug: str
    title: str
    kind: str  # real, upstream or synthetic; never pooled
    source: str  # where it was documented first
    framework: str
    stack: str
    category: str
    bug_type: str
    general_type: str
    symptom: str
    violated_property: str
    fix_pattern: str
    oracle: str
    digest: str  # of everything that can change the outcome of its test
    changed: tuple[ClaimedLine, ...] = ()
    files: tuple[str, ...] = ()  # Python files of the buggy program
    aliases: tuple[str, ...] = ()  # its names in other collections, such as "defect4ML 84"

    @property
    def changed_files(self) -> tuple[str, ...]:
        """The files that the fix changes."""
        return tuple(dict.fromkeys(place.path for place in self.changed))

    def is_changed(self, place: ClaimedLine, near: int = NEAR) -> bool:
        """Whether a line is one that the fix changes, or at most ``near`` lines from one."""
        return any(place.path == other.path and abs(place.line - other.line) <= near for other in self.changed)


GROUPINGS: Mapping[str, Callable[[BugFacts], str]] = {
    "category": lambda facts: facts.category,
    "symptom": lambda facts: facts.symptom,
    "framework": lambda facts: facts.framework,
    "stack": lambda facts: facts.stack,
    "oracle": lambda facts: facts.oracle,
}
