"""What the classifier sees of a report."""

from __future__ import annotations

from bugloss.core.report import Report
from bugloss.triage.features import LONGEST, features, tokens
from bugloss.triage.lexicon import families, family_index


def test_numbers_are_one_word_and_case_does_not_matter() -> None:
    assert tokens("Loss 0.69 at Epoch 3") == ["loss", "#", "at", "epoch", "#"]


def test_families_are_found_in_text_title_and_in_the_parts_of_names() -> None:
    clues = features(Report("CUDA out of memory", "I use CrossEntropyLoss and multi_gpu_model.")).clues
    assert {"about:gpu", "title:gpu", "title:memory", "about:loss"} <= clues.keys()
    assert "title:loss" not in clues


def test_phrases_of_several_words_and_beginnings_of_words_count() -> None:
    clues = features(Report("It is overfitted", "It has no attribute 'foo', overfitted as it is.")).clues
    assert {"about:attribute", "title:overfitting"} <= clues.keys()


def test_a_head_that_fights_its_loss_is_a_clue() -> None:
    def clues(code: str) -> dict[str, float]:
        return features(Report("Help", code)).clues

    assert "head-fights-loss" in clues(
        "model.add(Dense(1, activation='softmax')) model.compile(loss='binary_crossentropy')"
    )
    assert "head-suits-loss" in clues(
        "model.add(Dense(1, activation='sigmoid')) model.compile(loss='binary_crossentropy')"
    )


def test_line_breaks_do_not_matter_to_the_words() -> None:
    one, two = features(Report("T", "a loss\nof nan")), features(Report("T", "a loss of nan"))
    assert one.words == two.words


def test_only_the_beginning_of_a_very_long_report_counts() -> None:
    assert "tensor" not in features(Report("T", "x " * LONGEST + "tensor")).words


def test_every_family_has_words_and_every_word_is_in_lower_case() -> None:
    whole, beginnings = family_index()
    assert all(families().values())
    assert all(word == word.lower() for word in (*whole, *beginnings))
