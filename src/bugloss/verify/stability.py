"""What repeated judgements of both programs say about a bug."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from bugloss.core.bug import OracleKind, Twin
from bugloss.core.judgement import Grade, Judgement, Stability, Standing
from bugloss.core.trial import Trial
from bugloss.probes import oracle as probe
from bugloss.verify.statistics import a12, mann_whitney


def stability(trials: Sequence[Trial]) -> Stability:
    """Active when every run of each program has the expected grade; a single other answer is a reason."""
    buggy, fixed = ([trial.judgement for trial in trials if trial.twin is twin] for twin in Twin)
    standing, reason = _standing(trials)
    compared = _comparison(buggy, fixed) if trials and trials[0].oracle.kind is OracleKind.SYMPTOM else {}
    return Stability(standing, _tally(buggy), _tally(fixed), reason, compared)


def _standing(trials: Sequence[Trial]) -> tuple[Standing, str | None]:
    for twin in Twin:
        if not any(trial.twin is twin for trial in trials):
            return Standing.NOT_RUN, f"{twin.value}: nothing was run"
    for trial in trials:
        if trial.grade is Grade.NOT_RUN:
            return Standing.NOT_RUN, _because(trial)
    wrong = [trial for trial in trials if not trial.as_expected]
    if not wrong:
        return Standing.ACTIVE, None
    grades = {twin: {trial.grade for trial in trials if trial.twin is twin} for twin in Twin}
    mixed = any(len(different) > 1 for different in grades.values())
    return Standing.FLAKY if mixed else Standing.BROKEN, _because(wrong[0])


def _because(trial: Trial) -> str:
    return f"{trial.twin.value}: {trial.judgement.reason}"


def _tally(judgements: Sequence[Judgement]) -> str:
    """``5/5 fail``; where runs differ, the commonest first: ``4/5 fail, 1/5 pass``."""
    counts = Counter(judgement.grade.value for judgement in judgements).most_common()
    return ", ".join(f"{count}/{len(judgements)} {grade}" for grade, count in counts) or "0/0"


def _comparison(buggy: Sequence[Judgement], fixed: Sequence[Judgement]) -> dict[str, float]:
    """How far apart the two programs are over all seeds of all runs; A12 is the chance that the fixed one is better."""
    faulty, healthy = _values(buggy), _values(fixed)
    if min(len(faulty), len(healthy)) < 2:
        return {}
    larger_is_better = buggy[0].measured.get("healthy") == "at least"
    better = a12(healthy, faulty) if larger_is_better else a12(faulty, healthy)
    return {"p_value": mann_whitney(faulty, healthy), "a12": better}


def _values(judgements: Sequence[Judgement]) -> list[float]:
    """All measurements; a loss or score that is not a finite number counts as the worst there is."""
    values: list[float] = []
    for judgement in judgements:
        worst = -math.inf if judgement.measured.get("healthy") == "at least" else math.inf
        measured = judgement.measured.get("values", ())
        assert isinstance(measured, (list, tuple)), "judge() writes a list"
        values += [float(value) if probe.is_number(value) else worst for value in measured]
    return values
