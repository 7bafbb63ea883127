"""What triage thinks of a report, as a ranker asks for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bugloss.core.report import Report
from bugloss.intake.reading import take_apart
from bugloss.localize.contract import OUTSIDE, leanings
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.question.query import read_query
from bugloss.localize.ranker.evidence import first_look
from bugloss.localize.ranker.features import second_look
from bugloss.triage.judgement import triage

DRIVER = Report(
    "CUDA driver version is insufficient after pip install",
    "pip install of the nvidia driver wheel broke it: ERROR: has requirement cudatoolkit==10.1, but you have 10.0.",
)


def test_leanings_are_probabilities_and_say_where_the_cause_lies() -> None:
    judged = triage(take_apart(DRIVER))
    found = leanings(judged)
    assert found[judged.bug_type.label.value] == judged.bug_type.probability
    assert sum(value for name, value in found.items() if name != OUTSIDE) == pytest.approx(
        1, abs=0.05
    )  # triage leaves the least probable ones out
    assert judged.origin.extrinsic and found[OUTSIDE] == judged.origin.probability


def test_the_ranker_is_told_the_same_of_every_candidate(open_library: Callable[[], FileCorpus]) -> None:
    evidence = first_look(open_library(), read_query(take_apart(DRIVER)))
    features = second_look(evidence, {OUTSIDE: 0.9, "gpu": 0.7})
    columns = features.columns
    assert set(columns["asks: outside"]) == {0.9} and set(columns["asks: gpu"]) == {0.7}
