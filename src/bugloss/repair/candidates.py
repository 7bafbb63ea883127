"""Every patch that the fix patterns propose for a case, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from bugloss.core.edit import Edit
from bugloss.core.failed_plugin import FailedPlugin, log_failure
from bugloss.core.finding import Safety
from bugloss.core.patch import Patch
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixGenerator
from bugloss.repair.frequency import expected_share

_LIKELY = 0.3  # the confidence from which a patch is tried together with another one
_WEIGHT_OF_FREQUENCY = 0.25  # how often a pattern repairs such bugs settles what the confidence leaves open, no more


def candidates(
    case: RepairCase, generators: Iterable[FixGenerator], note: Callable[[FailedPlugin], None] = log_failure
) -> tuple[Patch, ...]:
    """The likeliest first, each change once; a generator that fails is noted, and the others are asked."""
    found: dict[object, Patch] = {}
    for generator in generators:
        try:
            proposed = [patch for patch in generator.patches(case) if _is_whole(patch, case)]
        except (Exception, SystemExit) as error:  # plug-ins are foreign code
            note(FailedPlugin.raised("fix pattern", generator.name, error))
            continue
        for patch in proposed:
            key = frozenset(patch.edit.changes)
            if key not in found or found[key].confidence < patch.confidence:
                found[key] = patch
    return tuple(sorted(found.values(), key=lambda patch: -_score(patch, case)))


def _score(patch: Patch, case: RepairCase) -> float:
    share = expected_share(patch.fix_pattern, case.framework, crashed=case.crash is not None)
    return patch.confidence * (1 - _WEIGHT_OF_FREQUENCY + _WEIGHT_OF_FREQUENCY * share)


def _is_whole(patch: Patch, case: RepairCase) -> bool:
    """Whether every file that is changed can be read and reads as the patch says."""
    texts = {path: case.project.read(path) for path in patch.edit.paths}
    return bool(texts) and all(text is not None and patch.edit.fits(path, text) for path, text in texts.items())


def together(patches: Sequence[Patch]) -> Iterator[Patch]:
    """Two likely patches of different causes as one, for programs that one of them alone does not repair."""
    likely = [patch for patch in patches if patch.confidence >= _LIKELY and patch.safety is not Safety.ADVICE]
    for first, second in combinations(likely, 2):
        lines = [{(change.path, change.span.line) for change in patch.edit.changes} for patch in (first, second)]
        if first.source != second.source and not lines[0] & lines[1]:
            edit = Edit(f"{first.edit.text}; {second.edit.text}", first.edit.changes + second.edit.changes)
            yield replace(
                first,
                edit=edit,
                confidence=round(first.confidence * second.confidence, 3),
                reason=f"{first.reason} {second.reason}",
                source=f"{first.source} + {second.source}",
                warnings=first.warnings + second.warnings,
                changes_keys=first.changes_keys or second.changes_keys,
            )
