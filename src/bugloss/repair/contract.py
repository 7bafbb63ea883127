"""What a fix pattern is: one file with its explanation, a generator of patches, and programs that prove it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bugloss.core.edit import Edit
from bugloss.core.finding import Safety, Severity
from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash_event import Operand
from bugloss.repair.case import RepairCase

_SURE_OF_LATER_EDITS = 0.7  # of a cause's edits the first is the likeliest; each further one is that much less so


@dataclass(frozen=True, slots=True)
class FixExample:
    """A broken program, what is known of it, and what the first patch must make of it.

    Findings of check are worked out, and so are the causes of the exception ``raised`` (``Class: message``) in
    ``line``. ``causes`` names further causes that bring no edit. ``files`` are others of the program; ``changed``
    is the one that the patch changes.
    """

    program: str
    expected: str
    raised: str = ""
    line: int = 0
    operands: tuple[Operand, ...] = ()
    causes: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    changed: str = "train.py"
    releases: Mapping[str, str] = field(default_factory=dict)


class FixGenerator(ABC):
    """Base of all fix patterns. The docstring has the headings that the documentation shows:

    *What it changes*, *When it is tried*, *Known problems*, *References*.
    ``patches`` first takes over the edits of causes and findings of its pattern, then adds proposals of its own. Of
    the ``examples`` the first patch must give ``expected``.
    """

    fix_pattern: ClassVar[FixPattern]
    examples: ClassVar[tuple[FixExample, ...]]
    safety: ClassVar[Safety] = Safety.SUGGESTED

    @property
    def name(self) -> str:
        """The name of the pattern."""
        return self.fix_pattern.value

    def patches(self, case: RepairCase) -> Iterator[Patch]:
        """Candidates for a case, the likeliest first."""
        yield from self._of_causes(case)
        yield from self._of_findings(case)
        yield from self.proposals(case)
        yield from self._typed(case)

    @abstractmethod
    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        """Patches beyond those that causes and findings bring along."""

    def patch(
        self,
        edit: Edit,
        confidence: float,
        reason: str,
        *,
        warnings: tuple[str, ...] = (),
        changes_keys: bool = False,
        safety: Safety | None = None,
    ) -> Patch:
        """A candidate of this pattern's own."""
        source = f"pattern:{self.name}"
        return Patch(edit, self.fix_pattern, confidence, safety or self.safety, reason, source, warnings, changes_keys)

    def _of_causes(self, case: RepairCase) -> Iterator[Patch]:
        for cause in case.of_pattern(self.fix_pattern):
            for number, edit in enumerate(cause.edits):
                sure = cause.confidence * _SURE_OF_LATER_EDITS**number
                yield Patch(edit, self.fix_pattern, round(sure, 3), self.safety, cause.explanation, cause.cause)

    def _of_findings(self, case: RepairCase) -> Iterator[Patch]:
        for finding in case.findings:
            fix = finding.fix
            if finding.fix_pattern is self.fix_pattern and fix is not None and fix.edit is not None:
                sure = finding.confidence if finding.severity is not Severity.ADVICE else finding.confidence / 2
                safety = max(fix.safety, self.safety, key=list(Safety).index)
                source = f"check:{finding.rule}"
                yield Patch(fix.edit, self.fix_pattern, sure, safety, finding.message, source)

    def _typed(self, case: RepairCase) -> Iterator[Patch]:
        """What may remove a crash and is of this pattern, for execution to decide."""
        for one in case.typed_edits:
            if one.fix_pattern is self.fix_pattern:
                source = f"search:{self.name}"
                sure = round(one.likelihood, 3)
                yield Patch(one.edit, self.fix_pattern, sure, Safety.SUGGESTED, one.reason, source, one.warnings)


class Adopting(FixGenerator):
    """A pattern whose patches all come with causes and findings."""

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        yield from ()
