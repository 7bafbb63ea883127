"""How near two failures are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bugloss.corpus.failure_profile import FailureProfile, KnownFailure, count_words
from bugloss.corpus.nearest import NEAR, nearest

LINEAR = FailureProfile(
    "RuntimeError",
    "mat# and mat# shapes cannot be multiplied (#x# and #x#)",
    "layer-size",
    "shape",
    ("linear",),
    {"fc1": 2},
)
INDEX = FailureProfile("IndexError", "list index out of range", "index", "index", ("fit",), {"list": 1})
KNOWN = (KnownFailure("torch-0001", LINEAR), KnownFailure("torch-0002", INDEX))

words = st.text("abc", min_size=1, max_size=3)
failures = st.builds(
    FailureProfile,
    st.sampled_from(["", "RuntimeError", "ValueError"]),
    st.lists(words, max_size=5).map(" ".join),
    st.sampled_from(["", "x", "y"]),
    st.sampled_from(["", "shape", "dtype"]),
    st.lists(words, max_size=4).map(tuple),
    st.dictionaries(words, st.integers(1, 9), max_size=6),
)


def test_the_same_failure_is_nearest() -> None:
    (match,) = nearest(LINEAR, KNOWN)
    assert match.bug == "torch-0001"
    assert match.score > 0.8


def test_another_wording_of_the_same_cause_is_near() -> None:
    other = FailureProfile("RuntimeError", "size mismatch, m#: [# x #], m#: [# x #]", "layer-size", "shape")
    assert [match.bug for match in nearest(other, KNOWN)] == ["torch-0001"]


def test_the_same_class_alone_is_not_near() -> None:
    assert nearest(FailureProfile("RuntimeError", "the moon is out of phase"), KNOWN) == []


def test_an_unknown_failure_with_the_same_message_is_near() -> None:
    other = FailureProfile(LINEAR.exception, LINEAR.template, "", "other", LINEAR.names, LINEAR.words)
    assert [match.bug for match in nearest(other, KNOWN)] == ["torch-0001"]


def test_the_weightiest_reason_comes_first() -> None:
    assert nearest(LINEAR, KNOWN)[0].why[0] == "same cause: layer-size"


@given(failures, st.lists(failures, max_size=6), st.integers(1, 5))
def test_scores_lie_between_nothing_and_everything_in_falling_order(
    new: FailureProfile, old: list[FailureProfile], limit: int
) -> None:
    known = [KnownFailure(f"torch-{number:04}", failure) for number, failure in enumerate(old)]
    matches = nearest(new, known, limit)
    assert len(matches) <= limit
    assert all(0 < match.score <= 1.001 for match in matches)
    assert [match.score for match in matches] == sorted((match.score for match in matches), reverse=True)


@given(
    failures.filter(lambda failure: bool(failure.exception and failure.template and failure.cause)),
    st.lists(failures, max_size=5),
)
def test_nothing_is_nearer_than_the_failure_itself(new: FailureProfile, old: list[FailureProfile]) -> None:
    known = [
        KnownFailure("torch-0000", new),
        *(KnownFailure(f"torch-{number:04}", other) for number, other in enumerate(old, start=1)),
    ]
    best = nearest(new, known)[0]
    itself = next(match for match in nearest(new, known, 99) if match.bug == "torch-0000")
    assert itself.score >= NEAR
    assert itself.score >= best.score - 0.2  # a longer report may hold the words more often


def test_words_are_counted_without_short_and_endless_ones() -> None:
    assert count_words("The loss, the LOSS and a " + "x" * 50) == {"the": 2, "loss": 2, "and": 1}
