"""Which rules are asked about which file, and against which releases."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatch

from bugloss.check.contract import Rule


@dataclass(frozen=True, slots=True)
class Selection:
    """Names of rules or groups to ask and to leave out, ignores per file, and the releases to check against."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    target: dict[str, str] = field(default_factory=dict)

    def includes(self, rule: Rule, path: str) -> bool:
        """Whether the rule is asked about the file."""
        if not (self.select or self.ignore or self.per_file_ignores):
            return True
        names = {rule.name, rule.category.value, *rule.groups}
        if self.select and not names & {*self.select} and "all" not in self.select:
            return False
        return not self._ignores(names, path)

    def reports(self, problem: Rule, path: str) -> bool:
        """Whether a problem of a whole file is reported: unless it is ignored, whatever is selected."""
        return not self._ignores({problem.name}, path)

    def _ignores(self, names: set[str], path: str) -> bool:
        if names & {*self.ignore}:
            return True
        return any(names & {*ignored} for pattern, ignored in self.per_file_ignores if _matches(path, pattern))


def _matches(path: str, pattern: str) -> bool:
    """``tests/*`` also matches from elsewhere: ``/home/me/project/tests/test_a.py``."""
    return fnmatch(path, pattern) or fnmatch(path, f"*/{pattern}")
