"""What repeated judgements of both twins say about a bug."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from bugloss.core.bug import OracleKind, Twin
from bugloss.core.judgement import Grade, Judgement, Stability, Standing
from bugloss.verify.judge import expected_grade
from bugloss.verify.statistics import a12, mann_whitney


def stability(kind: OracleKind, judgements: Mapping[Twin, Sequence[Judgement]]) -> Stability:
    """Active when every run of each twin answered as it should; a single other answer is a reason."""
    buggy, fixed = judgements[Twin.BUGGY], judgements[Twin.FIXED]
    standing, reason = _standing(judgements)
    return Stability(standing, _tally(buggy), _tally(fixed), reason, _comparison(kind, buggy, fixed))


def _standing(judgements: Mapping[Twin, Sequence[Judgement]]) -> tuple[Standing, str | None]:
    everything = [(twin, judgement) for twin, several in judgements.items() for judgement in several]
    for twin, judgement in everything:
        if judgement.grade is Grade.NOT_RUN:
            return Standing.NOT_RUN, f"{twin.value}: {judgement.reason}"
    wrong = [(twin, judgement) for twin, judgement in everything if judgement.grade is not expected_grade(twin)]
    if not wrong:
        return Standing.ACTIVE, None
    twin, judgement = wrong[0]
    mixed = any(len({judgement.grade for judgement in several}) > 1 for several in judgements.values())
    return Standing.FLAKY if mixed else Standing.BROKEN, f"{twin.value}: {judgement.reason}"


def _tally(judgements: Sequence[Judgement]) -> str:
    """``5/5 fail``; where runs differ, the commonest first: ``4/5 fail, 1/5 pass``."""
    counts = Counter(judgement.grade.value for judgement in judgements).most_common()
    return ", ".join(f"{count}/{len(judgements)} {grade}" for grade, count in counts) or "0/0"


def _comparison(kind: OracleKind, buggy: Sequence[Judgement], fixed: Sequence[Judgement]) -> dict[str, float]:
    """For measured symptoms: how far apart the twins' values lie, over all seeds of all runs."""
    if kind is not OracleKind.SYMPTOM:
        return {}
    samples = [_values(buggy), _values(fixed)]
    if min(map(len, samples)) < 2:
        return {}
    return {"p_value": mann_whitney(*samples), "a12": a12(samples[1], samples[0])}


def _values(judgements: Sequence[Judgement]) -> list[float]:
    """All measurements; a loss or score that became NaN counts as the worst there is."""
    values: list[float] = []
    for judgement in judgements:
        worst = -math.inf if judgement.measured.get("healthy") == "at least" else math.inf
        measured = judgement.measured.get("values", ())
        assert isinstance(measured, (list, tuple)), "judge() writes a list"
        values += [worst if math.isnan(value) else float(value) for value in measured]
    return values
