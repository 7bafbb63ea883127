"""Scores of a matrix that was made by hand."""

from __future__ import annotations

import pytest
from evaluate.matrix.matrices import cell, facts, fault, graded

from bugloss.core.bug import Twin
from bugloss.core.errors import InvalidInput
from bugloss.evaluate.matrix.cell import EvaluationTask, ToolReply
from bugloss.evaluate.matrix.comparison import compare_evaluations
from bugloss.evaluate.matrix.grading import Graded, document, grade
from bugloss.evaluate.matrix.scores import ToolScores
from bugloss.evaluate.matrix.store import EvaluationFile, JudgedTool
from bugloss.evaluate.matrix.truth import SYNTHETIC, UPSTREAM
from bugloss.evaluate.share import Share

BUGS = tuple(facts(f"torch-000{number}") for number in range(1, 6))


def scores(found: Graded, tool: str = "a") -> ToolScores:
    return found.sections[0].scores[tool]


def share(found: Graded, measure: str) -> tuple[int, int]:
    one = scores(found).measures[measure]
    assert isinstance(one, Share)
    return one.count, one.of


def test_recall_precision_and_f1_come_from_both_programs() -> None:
    found = graded({"a": "as as aa ss sa"}, BUGS)
    assert share(found, "recall") == (3, 5)
    assert share(found, "precision") == (3, 5)
    assert share(found, "false alarms") == (2, 5)
    assert share(found, "separated") == (2, 5)
    assert scores(found).measures["F1"].value == pytest.approx(2 * 0.6 * 0.6 / 1.2)


def test_what_does_not_apply_is_not_missed_but_not_reached_either() -> None:
    found = graded({"a": "as ns ns as ss"}, BUGS)
    assert share(found, "recall") == (2, 3)
    assert share(found, "reach") == (2, 5)
    assert scores(found).words == {"alarm": 2, "does-not-apply": 2, "silent": 1}


def test_a_failure_of_the_machine_counts_neither_for_nor_against_a_tool() -> None:
    found = graded({"a": "as ee as es se"}, BUGS)
    assert share(found, "recall") == (2, 3)
    assert share(found, "reach") == (2, 3)
    assert found.environment_failures == 4


def test_a_tool_that_fails_has_missed_the_bug() -> None:
    assert share(graded({"a": "as ts ts ss ss"}, BUGS), "recall") == (1, 5)


def test_a_program_that_was_not_tried_yet_is_counted_as_missing() -> None:
    found = graded({"a": "as -- a- ss ss"}, BUGS)
    assert found.missing == 3
    assert share(found, "recall") == (2, 4)


def test_real_upstream_and_synthetic_bugs_are_never_pooled() -> None:
    others = (facts("up-0001", UPSTREAM), facts("m-0001", SYNTHETIC), facts("m-0002", SYNTHETIC))
    found = graded({"a": "as as as aa"}, (BUGS[0], *others))
    kinds = [(section.kind, len(section.bugs)) for section in found.sections]
    assert kinds == [("real", 1), ("upstream", 1), ("synthetic", 2)]
    assert scores(found).bugs == 1


def test_an_alarm_needs_more_than_half_of_the_seeds() -> None:
    asked = EvaluationFile(EvaluationTask.DETECT, (JudgedTool("a", "a", "1", "built-in"),), BUGS[:1], (0, 1, 2, 3))
    cells = [cell("a", "torch-0001", Twin.BUGGY, "aass"[seed], seed=seed) for seed in range(4)]
    outcome = grade(asked, {one.place: one for one in cells}).outcomes[0]
    assert (outcome.detected, outcome.buggy.rate) == (False, 0.5)


def test_a_diagnosis_is_right_in_its_labels_and_near_a_changed_line() -> None:
    replies = [
        ToolReply(True, (fault(line=12, category="model", fix_pattern="api-contract"),)),
        ToolReply(True, (fault(line=30), fault(line=7, category="api"))),
        ToolReply(True, (fault(line=14),)),
    ]
    asked = EvaluationFile(EvaluationTask.DIAGNOSE, (JudgedTool("a", "a", "1", "built-in"),), BUGS[:3])
    cells = [cell("a", bug.bug, Twin.BUGGY, "a", reply) for bug, reply in zip(BUGS, replies, strict=False)]
    found = grade(asked, {one.place: one for one in cells})
    assert share(found, "line@1") == (1, 3)
    assert share(found, "line@3") == (2, 3)
    assert share(found, "category@3") == (1, 3)
    assert share(found, "fix pattern@1") == (1, 3)


def test_an_aspect_that_a_tool_never_names_has_no_score() -> None:
    asked = EvaluationFile(EvaluationTask.DIAGNOSE, (JudgedTool("a", "a", "1", "built-in"),), BUGS[:1])
    one = cell("a", "torch-0001", Twin.BUGGY, "a", ToolReply(True, (fault(line=10),)))
    assert set(scores(grade(asked, {one.place: one})).measures) == {"line@1", "line@3", "reach"}


def test_groups_have_the_scores_of_their_own_bugs() -> None:
    found = graded({"a": "as ss"}, (facts("torch-0001"), facts("keras-0001", framework="keras")))
    groups = found.sections[0].groups["a"]["framework"]
    assert {label: one.words for label, one in groups.items()} == {"keras": {"silent": 1}, "torch": {"alarm": 1}}


def test_pairs_are_tested_on_the_bugs_to_which_both_apply() -> None:
    found = graded({"a": "as as as ss ns", "b": "ss ss ns ss as"}, BUGS)
    (pair, _) = found.sections[0].pairs
    assert (pair.first, pair.second, pair.bugs, pair.only_first, pair.only_second) == ("a", "b", 3, 2, 0)


def test_the_document_has_a_row_for_each_tool_and_bug() -> None:
    rows = document(graded({"a": "as ns"}, BUGS[:2]))["matrix"]
    assert isinstance(rows, list)
    assert [(row["bug"], row["buggy"], row["fixed"]) for row in rows] == [
        ("torch-0001", "alarm", "silent"),
        ("torch-0002", "does-not-apply", "silent"),
    ]


def test_two_evaluations_differ_bug_by_bug() -> None:
    found = compare_evaluations(graded({"a": "as ss ss"}, BUGS[:3]), graded({"a": "as as sa"}, BUGS[:3]))
    detected = next(test for _, test in found.tests if test.measure == "detected")
    assert (detected.only_first, detected.only_second) == (0, 1)
    assert [(one.bug, one.measure, one.second) for one in found.changed] == [
        ("torch-0002", "detected", True),
        ("torch-0003", "false alarm", True),
        ("torch-0002", "separated", True),
    ]


def test_a_bug_that_was_edited_in_between_is_left_out() -> None:
    first = graded({"a": "as ss"}, BUGS[:2])
    second = graded({"a": "as as"}, (BUGS[0], facts("torch-0002", digest="2")))
    found = compare_evaluations(first, second)
    assert found.edited == ("torch-0002",)
    assert found.changed == ()


def test_two_evaluations_without_a_tool_in_common_are_compared_if_each_has_one() -> None:
    one, two = graded({"a": "as"}, BUGS[:1]), graded({"b": "ss"}, BUGS[:1])
    assert compare_evaluations(one, two).tools == (("a", "b"),)
    with pytest.raises(InvalidInput, match="no tool in common"):
        compare_evaluations(one, graded({"b": "ss", "c": "ss"}, BUGS[:1]))
