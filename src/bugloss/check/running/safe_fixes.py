"""Applies the safe fixes of one file until none is left that can be made; what does not help is taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bugloss.check.running.fixing import apply_fixes
from bugloss.check.running.inspection import check_source
from bugloss.check.running.selection import Selection
from bugloss.core.finding import Finding, Safety
from bugloss.source.text.source_file import Skipped, parse_source

_MOST_PASSES = 10
SAFE_ONLY = frozenset({Safety.SAFE})


@dataclass(frozen=True, slots=True)
class FixedText:
    """A text with its fixes made, the findings they belonged to, and those that stay, at their new places."""

    text: str
    made: tuple[Finding, ...]
    left: tuple[Finding, ...]


def fix_text(
    text: str,
    path: str,
    findings: Sequence[Finding],
    selection: Selection,
    safety: frozenset[Safety] = SAFE_ONLY,
) -> FixedText:
    """Fixes that overlap are made one after the other, those that do not silence their finding not at all."""
    state = FixedText(text, (), tuple(findings))
    useless: set[tuple[str, str]] = set()
    for _ in range(_MOST_PASSES):
        wanted = [finding for finding in state.left if _key(finding) not in useless]
        after = _attempt(state, wanted, path, selection, safety)
        if after is None:  # one of them is at fault: each on its own
            for finding in wanted:
                alone = _attempt(state, [finding], path, selection, safety)
                if alone is None:
                    useless.add(_key(finding))
                elif alone is not state:
                    after = alone
                    break
        if after is None or after is state:
            return state
        state = after
    return state


def _attempt(
    state: FixedText, wanted: list[Finding], path: str, selection: Selection, safety: frozenset[Safety]
) -> FixedText | None:
    """The next state; the same one when there is nothing to fix, None when a fix breaks the file or does not help."""
    text, made = apply_fixes(state.text, wanted, safety)
    if not made:
        return state
    source = parse_source(text, path)
    if isinstance(source, Skipped):
        return None
    before, found = Counter(map(_key, state.left)), check_source(source, selection)
    after, fixed = Counter(map(_key, found)), Counter(map(_key, made))
    if any(after[key] > before[key] - count for key, count in fixed.items()):
        return None
    # What a baseline excused before stays excused: only findings that were reported can be left.
    left, room = [], before - fixed
    for finding in found:
        if room[_key(finding)] > 0:
            room[_key(finding)] -= 1
            left.append(finding)
    return FixedText(text, (*state.made, *made), tuple(left))


def _key(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.message
