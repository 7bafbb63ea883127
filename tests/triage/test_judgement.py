"""Triage of whole reports: types, evidence, information, questions and recommendations."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.report import Reading
from bugloss.core.taxonomy import Category, EditAction, Information, Origin
from bugloss.core.triage import Triage
from bugloss.intake.given import parse_report
from bugloss.intake.reading import take_apart
from bugloss.triage.judgement import NOT_DEEP_LEARNING, TOO_SHORT, triage

SHAPES = """\
# ValueError: expected conv2d_1_input to have 4 dimensions, but got array with shape (60000, 28, 28)

Tags: keras, conv-neural-network

I train a CNN on MNIST with Keras 2.2.4.

```python
model = Sequential()
model.add(Conv2D(32, (3, 3), input_shape=(28, 28, 1)))
model.add(Flatten())
model.add(Dense(10, activation='softmax'))
model.compile(loss='sparse_categorical_crossentropy', optimizer='adam')
model.fit(x_train, y_train, batch_size=batch_size, epochs=5)
```

ValueError: Error when checking input: expected conv2d_1_input to have 4 dimensions, but got array with shape (60000, 28, 28)
"""
CRASH = """\
# RuntimeError: CUDA error: out of memory on the second GPU

With nn.DataParallel on two GTX 1080 the second GPU runs out of memory, nvidia-smi shows 11 GB used. PyTorch 1.0, CUDA 9.0.
Tags: pytorch, gpu
"""
STUCK = """\
# Loss does not decrease and accuracy stays at 10 % in my Keras network

The loss is constant from the first epoch on, whatever learning rate and optimizer I try. The loss function is my own:
def my_loss(y_true, y_pred): return K.mean(y_true - y_pred). It becomes nan after some epochs of training.
Tags: keras, loss-function
"""
ELSEWHERE = """\
# How do I centre a div with CSS?

My jQuery button is in an HTML table and the div is not centred in Chrome. What is wrong with my css?
Tags: html, css
"""


def read(text: str, name: str = "report.md") -> Reading:
    return take_apart(parse_report(text.encode(), name))


def judge(text: str) -> Triage:
    return triage(read(text))


@pytest.mark.parametrize(
    ("text", "category"),
    [
        (SHAPES, Category.TENSOR),
        (CRASH, Category.GPU),
        (STUCK, Category.TRAINING),
        (ELSEWHERE, Category.NON_DL),
    ],
)
def test_clear_reports_get_their_type(text: str, category: Category) -> None:
    result = judge(text)
    assert result.bug_type.label is category
    assert result.bug_type.probability > 0.5
    assert result.deep_learning == (category is not Category.NON_DL)


def test_evidence_quotes_the_report() -> None:
    reading = read(SHAPES)
    evidence = triage(reading).bug_type.evidence
    assert evidence
    for found in evidence:
        assert found.where == "body"
        assert reading.report.body[found.start : found.end] == found.text
    assert any("shape" in found.text or "dimensions" in found.text for found in evidence)


def test_evidence_in_a_title_of_its_own_says_so() -> None:
    data = {"title": "CUDA out of memory on my GPU", "body": "It happens at the second batch with PyTorch."}
    reading = read(json.dumps(data), "x.json")
    found = next(item for item in triage(reading).bug_type.evidence if item.where == "title")
    assert reading.report.title[found.start : found.end] == found.text


def test_probabilities_of_all_answers_sum_to_one_at_the_most() -> None:
    guess = judge(STUCK).bug_type
    assert guess.probability + sum(other.probability for other in guess.alternatives) <= 1.001
    assert guess.label.value not in {other.label for other in guess.alternatives}


def test_information_that_is_there_is_quoted_and_the_rest_is_missing() -> None:
    full, poor = judge(SHAPES).information, judge(CRASH).information
    assert all(state.present and state.evidence for state in full.values())
    assert not poor[Information.CODE].present
    assert not poor[Information.HYPERPARAMETERS].present


def test_a_fuller_report_scores_higher() -> None:
    assert judge(SHAPES).score > judge(CRASH).score > judge(ELSEWHERE).score
    assert judge(SHAPES).score == 100


def test_at_most_three_questions_the_most_useful_first() -> None:
    asked = judge(
        "# My network does not train\n\nThe accuracy of my Keras model stays at ten per cent, whatever I do."
    ).questions
    assert len(asked) == 3
    assert "shortest program" in asked[0]  # code helped with 24 of 26 training bugs, logs with 22
    assert "printed" in asked[1]
    assert judge(SHAPES).questions == ()


def test_recommendations_carry_counts_examples_and_the_edit_for_this_report() -> None:
    actions = {found.action: found for found in judge(SHAPES).edit_actions}
    data = actions[EditAction.INPUT_DATA_GENERATION]
    assert (data.support, data.of, data.confidence) == (12, 21, 0.5714)
    assert "np.random.rand(60000, 28, 28)" in data.edit.code
    imports = actions[EditAction.IMPORT_ADDITION]
    assert "from keras.layers import Conv2D, Dense, Flatten" in imports.edit.code
    assert "from keras.models import Sequential" in imports.edit.code
    settings = actions[EditAction.HYPERPARAMETER_INITIALIZATION]
    assert settings.edit.code == "batch_size = 32"
    assert all(found.explanation and found.example for found in actions.values())
    assert [found.confidence for found in judge(SHAPES).edit_actions] == sorted(
        (f.confidence for f in actions.values()), reverse=True
    )


def test_examples_are_written_in_the_framework_of_the_report() -> None:
    torch = judge(
        "# Loss is nan in PyTorch\n\nThe loss of my torch network gets nan after loss.backward() in training."
    )
    assert torch.framework == "torch"
    assert any("torch." in found.example for found in torch.edit_actions)
    assert judge(SHAPES).framework == "keras"


def test_nothing_is_recommended_for_what_is_not_deep_learning() -> None:
    result = judge(ELSEWHERE)
    assert result.edit_actions == ()
    assert NOT_DEEP_LEARNING in result.remarks


def test_a_report_that_is_too_short_says_so() -> None:
    result = judge("help")
    assert not result.enough
    assert TOO_SHORT in result.remarks


def test_an_extrinsic_bug_has_a_kind_and_its_words() -> None:
    data = {
        "title": "Build fails with CMake 3.18 on Windows: undefined reference to cudnnCreate",
        "body": "Building from source with CMake and CUDA 10.2 breaks since the nightly build; CI on Windows is broken too.",
        "url": "https://github.com/o/r/issues/1",
    }
    origin = triage(read(json.dumps(data), "x.json")).origin
    assert origin.extrinsic
    assert origin.kind in {Origin.ENVIRONMENT, Origin.HARDWARE}
    assert origin.evidence


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=400))
def test_whatever_is_written_gets_an_answer(text: str) -> None:
    result = judge(f"# A report\n\n{text}")
    assert 0 <= result.score <= 100
    assert 0 <= result.bug_type.probability <= 1
    assert len(result.questions) <= 3
