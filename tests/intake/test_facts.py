"""Facts and the words that state them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.report import FactKind
from bugloss.intake.blocks import split_blocks
from bugloss.intake.facts import find_facts


def facts(body: str, kind: FactKind) -> list[tuple[str, str]]:
    return [(fact.name, fact.value) for fact in find_facts(body, split_blocks(body)) if fact.kind is kind]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("X_train.shape is (300, 5, 720)", [("X_train", "(300, 5, 720)")]),
        ("input_shape=(28, 28, 1)", [("input_shape", "(28, 28, 1)")]),
        ("got torch.Size([64, 10])", [("", "(64, 10)")]),
        ("expected shape (None, 10) but got array with shape (32, 1)", [("", "(None, 10)"), ("", "(32, 1)")]),
        ("images of 224x224x3", [("", "(224, 224, 3)")]),
        ("kernel_size=(3, 3)", []),
        ("plt.figure(figsize=(10, 5))", []),
        ("range(0, 10)", []),
        ("a * 3 * 4", []),
    ],
)
def test_shapes(body: str, expected: list[tuple[str, str]]) -> None:
    assert facts(body, FactKind.SHAPE) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("torch==1.2.0", [("torch", "1.2.0")]),
        ("I use TensorFlow 2.3 with Python 3.6.9", [("tensorflow", "2.3"), ("python", "3.6.9")]),
        ("- PyTorch version: 1.4.0", [("torch", "1.4.0")]),
        ("tf.__version__ 1.15", [("tensorflow", "1.15")]),
        ("CUDA 10.1, cuDNN 7", [("cuda", "10.1"), ("cudnn", "7")]),
        ("python 30 times", []),
        ("keras layers 4", []),
    ],
)
def test_versions(body: str, expected: list[tuple[str, str]]) -> None:
    assert facts(body, FactKind.VERSION) == expected


def test_settings_in_code_and_in_words() -> None:
    assert facts("fit(x, y, batch_size=32, epochs=5)", FactKind.HYPERPARAMETER) == [
        ("batch_size", "32"),
        ("epochs", "5"),
    ]
    assert facts("a learning rate of 0.001 for 50 epochs", FactKind.HYPERPARAMETER) == [
        ("learning_rate", "0.001"),
        ("epochs", "50"),
    ]


def test_named_things_are_told_apart() -> None:
    body = "An LSTM with Dense(10, activation='softmax'), Adam and categorical_crossentropy on MNIST; accuracy 10 %"
    assert facts(body, FactKind.LAYER) == [("", "LSTM"), ("", "Dense")]
    assert facts(body, FactKind.OPTIMIZER) == [("", "Adam")]
    assert facts(body, FactKind.LOSS) == [("", "categorical_crossentropy")]
    assert facts(body, FactKind.DATASET) == [("", "mnist")]
    assert facts(body, FactKind.ACTIVATION) == [("", "softmax")]
    assert facts(body, FactKind.METRIC) == [("", "accuracy")]


def test_words_with_another_meaning_need_company() -> None:
    assert facts("I map each word and iris scans", FactKind.DATASET) == []
    assert facts("the iris data set", FactKind.DATASET) == [("", "iris")]


def test_exceptions_with_their_message() -> None:
    assert facts("ValueError: shapes (3,) and (4,) not aligned\n", FactKind.EXCEPTION) == [
        ("ValueError", "ValueError: shapes (3,) and (4,) not aligned")
    ]
    assert facts("try:\n    f()\nexcept ValueError\n", FactKind.EXCEPTION) == []
    assert facts("then Segmentation fault (core dumped)", FactKind.EXCEPTION)[0][0] == "abort"


def test_expected_and_actual() -> None:
    body = "ValueError: expected lstm_1 to have 3 dimensions, but got array with shape (300, 720)"
    assert facts(body, FactKind.EXPECTED) == [("", "lstm_1 to have 3 dimensions")]
    assert facts(body, FactKind.ACTUAL) == [("", "array with shape (300, 720)")]
    template = "## Expected behavior\n\nIt trains.\n\n## Actual behavior\n\nIt hangs."
    assert facts(template, FactKind.EXPECTED) == [("", "It trains.")]
    assert facts(template, FactKind.ACTUAL) == [("", "It hangs.")]
    assert facts("I get nan instead of 0.5", FactKind.ACTUAL) == [("", "I get nan")]


def test_types_of_elements_have_one_spelling() -> None:
    assert facts("torch.LongTensor and float64 and torch.half", FactKind.DTYPE) == [
        ("", "int64"),
        ("", "float64"),
        ("", "float16"),
    ]


@given(st.text(alphabet=st.sampled_from("shape (1,23)x=torch expected got .\nE:rror"), max_size=200))
def test_positions_lie_within_the_body_whatever_it_is(body: str) -> None:
    assert all(0 <= fact.start < fact.end <= len(body) for fact in find_facts(body, split_blocks(body)))
