"""The cause of a crash beside what the training before it showed."""

from __future__ import annotations

from bugloss.core.cause import Cause, Location
from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.taxonomy import FixPattern
from bugloss.workflows.crash_causes import merge_causes


def cause(name: str, pattern: FixPattern, column: int, confidence: float = 0.9) -> Cause:
    edit = Edit("write b", (TextChange("train.py", Span(4, column, 4, column + 6), "a", "b"),))
    place = Location("train.py", 4, 0.9, None, "here")
    return Cause(name, pattern, confidence, f"It is {name}.", "Write b.", (place,), edits=(edit,))


CRASH = cause("layer-size-mismatch", FixPattern.LAYER_DIMENSION, 10)


def test_another_fault_of_the_same_line_stays_a_cause_of_its_own() -> None:
    """A network in one line: its first layer has a wrong size, its last one a wrong activation."""
    activation = cause("wrong-activation", FixPattern.ACTIVATION, 60)
    first, second = merge_causes([CRASH], [activation])
    assert (first.cause, second.cause) == ("layer-size-mismatch", "wrong-activation")
    assert second.confidence < first.confidence
    assert first.evidence == ()


def test_what_changes_the_same_text_is_told_as_a_consequence() -> None:
    same = cause("wrong-width", FixPattern.DATA_DIMENSION, 12)
    (only,) = merge_causes([CRASH], [same])
    assert only.evidence == ("it also explains wrong-width: It is wrong-width.",)


def test_a_crash_that_nobody_understands_does_not_outrank_what_was_seen_before() -> None:
    unknown = cause("refused-call", FixPattern.API_CONTRACT, 10, confidence=0.35)
    seen = cause("gradients-not-cleared", FixPattern.OPTIMIZER, 60, confidence=0.8)
    assert [one.cause for one in merge_causes([unknown], [seen])] == ["gradients-not-cleared", "refused-call"]
