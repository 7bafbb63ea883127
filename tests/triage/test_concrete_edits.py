"""Edits worked out from a report's facts."""

from __future__ import annotations

import pytest

from bugloss.core.reproduction import ProgramEdit
from bugloss.core.taxonomy import EditAction
from bugloss.intake.given import parse_report
from bugloss.intake.reading import take_apart
from bugloss.triage import concrete_edits
from bugloss.triage.example_edits import EXPLANATIONS, example


def work_out(action: EditAction, body: str, framework: str = "keras") -> ProgramEdit:
    return concrete_edits.work_out(action, take_apart(parse_report(f"# T\n\n{body}".encode(), "x.md")), framework)


@pytest.mark.parametrize("action", list(EditAction))
def test_every_action_is_explained_and_shown_in_each_framework(action: EditAction) -> None:
    assert EXPLANATIONS[action]
    assert example(action, "torch") != example(action, "keras")
    assert example(action, "unheard-of") == example(action, "keras")


def test_data_have_the_stated_shape_in_the_reports_framework() -> None:
    assert (
        work_out(EditAction.INPUT_DATA_GENERATION, "x.shape is (64, 3, 8, 8)", "torch").code
        == "x = torch.randn(64, 3, 8, 8)"
    )
    labels = work_out(EditAction.INPUT_DATA_GENERATION, "y_train.shape is (100, 1)").code
    assert labels == "y_train = np.random.randint(0, 2, (100, 1))"
    assert "8, 28, 28" in work_out(EditAction.INPUT_DATA_GENERATION, "input_shape=(28, 28)").code


def test_code_that_makes_its_own_data_needs_none() -> None:
    assert not work_out(
        EditAction.INPUT_DATA_GENERATION, "```\nx = np.random.rand(3, 4)\n```\nx.shape is (3, 4)"
    ).needed


def test_complete_code_needs_no_imports() -> None:
    assert not work_out(EditAction.IMPORT_ADDITION, "```\nimport numpy as np\nx = np.ones(3)\n```").needed
    assert work_out(EditAction.IMPORT_ADDITION, "```\nx = np.ones(3)\ny = nn.ReLU()\n```", "torch").code == (
        "from torch import nn\nimport numpy as np"
    )


def test_settings_take_the_values_that_the_text_states() -> None:
    body = "I use a batch size of 7.\n\n```\nmodel.fit(x, y, batch_size=BATCH_SIZE, epochs=EPOCHS)\n```"
    assert work_out(EditAction.HYPERPARAMETER_INITIALIZATION, body).code == "BATCH_SIZE = 7\nEPOCHS = 3"


def test_obsolete_arguments_are_named_with_what_replaces_them() -> None:
    assert "epochs=…" in work_out(EditAction.OBSOLETE_PARAMETER_REMOVAL, "```\nmodel.fit(x, y, nb_epoch=3)\n```").code
    assert not work_out(EditAction.OBSOLETE_PARAMETER_REMOVAL, "```\nmodel.fit(x, y)\n```").needed


def test_broken_code_says_what_is_broken() -> None:
    found = work_out(EditAction.COMPILER_ERROR_RESOLUTION, "```python\n%matplotlib inline\nprint 'a'\nx = (1\n```")
    assert found.needed
    assert "magics" in found.why
    assert "Python 2 prints" in found.why
    assert not work_out(EditAction.COMPILER_ERROR_RESOLUTION, "```python\nx = 1\ny = 2\n```").needed


def test_named_data_sets_get_their_loader() -> None:
    assert "mnist.load_data()" in work_out(EditAction.DATASET_PROCUREMENT, "I train on MNIST").code
    assert "CIFAR10" in work_out(EditAction.DATASET_PROCUREMENT, "I train on CIFAR-10", "torch").code
    assert not work_out(EditAction.DATASET_PROCUREMENT, "I train on my data").needed


def test_pretrained_models_are_listed() -> None:
    body = "```\nmodel = BertModel.from_pretrained('bert-base-uncased')\n```"
    assert "bert-base-uncased" in work_out(EditAction.DOWNLOAD_MODELS_AND_TOKENIZERS, body).code


def test_another_era_is_told_by_releases_and_calls() -> None:
    assert "tensorflow 1.4" in work_out(EditAction.VERSION_MIGRATION, "TensorFlow 1.4").why
    assert "tf.Session" in work_out(EditAction.VERSION_MIGRATION, "```\nsess = tf.Session()\n```").why
    assert not work_out(EditAction.VERSION_MIGRATION, "TensorFlow 2.4").needed


def test_logging_prints_the_variables_that_the_report_names() -> None:
    assert work_out(EditAction.LOGGING, "batch.shape is (3, 4)").code == 'print("batch", batch.shape, batch.dtype)'


def test_a_variable_is_no_obsolete_argument() -> None:
    body = "```\ninit = tf.global_variables_initializer()\nsession.run(init)\n```"
    assert not work_out(EditAction.OBSOLETE_PARAMETER_REMOVAL, body).needed


def test_flat_code_is_searched_for_obsolete_arguments_all_the_same() -> None:
    assert work_out(EditAction.OBSOLETE_PARAMETER_REMOVAL, "I call fit with nb_epoch = 3 and it fails").needed


def test_names_after_a_line_that_does_not_parse_are_seen() -> None:
    body = '```python\nprint "shape", x\nmodel = Sequential()\nmodel.fit(x, y, batch_size=batch_size)\n```'
    assert "batch_size = 32" in work_out(EditAction.HYPERPARAMETER_INITIALIZATION, body).code
