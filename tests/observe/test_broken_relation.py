"""When a broken relation is an alarm, and when it is advice."""

from __future__ import annotations

import pytest

from bugloss.core.finding import Severity
from bugloss.observe.detectors.broken_relation import BrokenRelation
from bugloss.observe.recording import PropertyAnswer
from bugloss.observe.sketch import falling, sketch


@pytest.mark.parametrize(
    ("losses", "without_effect", "severity"),
    [
        (falling(), False, Severity.ADVICE),
        (falling(), True, Severity.WARNING),
        ([2.3] * 200, False, Severity.WARNING),
    ],
    ids=["learns", "mask-without-effect", "does-not-learn"],
)
def test_padding_is_an_alarm_only_where_it_harms(losses: list[float], without_effect: bool, severity: Severity) -> None:
    answer = PropertyAnswer("masked-content", False, {"largest_change": 0.01, "mask_without_effect": without_effect})
    (symptom,) = BrokenRelation().detect(sketch(losses, properties=(answer,)))
    assert symptom.severity is severity
