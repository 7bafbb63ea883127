"""The tables: names lead to one row, whatever the spelling, and rows do not contradict each other."""

from __future__ import annotations

import pytest

from bugloss.core.network.activation import ACTIVATIONS, Gives, activation
from bugloss.core.network.layer import LayerFamily, has_weights, torch_layers
from bugloss.core.network.loss import LOSSES, Compares, Reads, loss, losses_in
from bugloss.core.network.optimizer import OPTIMIZERS, names_with_epsilon, optimizer, rates_of
from bugloss.core.network.table import NetworkTable, folded


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("nn.MSELoss", "MSELoss"),
        ("torch.nn.functional.mse_loss", "MSELoss"),
        ("mse", "mean_squared_error"),
        ("MeanSquaredError", "mean_squared_error"),
        ("keras.losses.CategoricalCrossentropy", "categorical_crossentropy"),
        ("KLD", "kl_divergence"),
        ("logcosh", "log_cosh"),
        ("tf.nn.softmax_cross_entropy_with_logits_v2", "softmax_cross_entropy_with_logits"),
    ],
)
def test_a_loss_is_found_by_every_spelling(spelling: str, name: str) -> None:
    found = loss(spelling)
    assert found is not None and found.name == name


def test_a_name_that_two_frameworks_have_leads_to_the_one_that_is_asked_for() -> None:
    assert loss("huber_loss", "keras") is not loss("huber_loss", "torch")
    assert loss("huber_loss", "keras") is not None


@pytest.mark.parametrize("table", [LOSSES, ACTIVATIONS, OPTIMIZERS], ids=["losses", "activations", "optimizers"])
def test_no_two_rows_of_a_framework_share_a_name(table: NetworkTable[object]) -> None:  # type: ignore[type-var]
    seen: set[tuple[str, str]] = set()
    for row in table:
        names = {folded(name) for name in (row.name, *row.names)}
        marked = {(getattr(row, "framework", ""), name) for name in names}
        assert not marked & seen, marked & seen
        seen |= marked


def test_losses_that_apply_an_activation_read_scores() -> None:
    for row in LOSSES:
        assert (row.reads is Reads.SCORES) == bool(row.applies) or row.compares is Compares.OTHER, row.name


def test_activations_keep_to_what_they_give() -> None:
    for row in ACTIVATIONS:
        if row.gives in {Gives.PROBABILITY, Gives.DISTRIBUTION}:
            assert (row.low, row.high) == (0.0, 1.0)
        if row.gives is Gives.LOG_PROBABILITY:
            assert row.high == 0.0
        assert row.low < row.high
    assert activation("Identity") is activation("linear")


def test_usual_rates_lie_in_their_band() -> None:
    for row in OPTIMIZERS:
        low, high = row.band()
        assert low < row.usual < high, row.name
        assert row.default <= high
    assert optimizer("AdamOptimizer") is optimizer("adam")
    assert rates_of("SomethingNew").usual == 0.001


def test_momentum_lowers_the_rates_of_sgd() -> None:
    sgd = rates_of("sgd")
    assert sgd.band(0.9)[1] < sgd.band(0.0)[1]
    assert rates_of("Adam").band(0.9) == rates_of("Adam").band()


@pytest.mark.parametrize(
    ("name", "framework", "weights"),
    [
        ("Linear", "torch", True),
        ("LazyConvTranspose2d", "torch", True),
        ("Transformer", "torch", True),
        ("PReLU", "torch", True),
        ("ReLU", "torch", False),
        ("MaxPool2d", "torch", False),
        ("MultiHeadAttention", "keras", True),
        ("Attention", "keras", False),
        ("UnitNormalization", "keras", False),
        ("linear_something", "torch", False),
    ],
)
def test_which_layers_have_weights(name: str, framework: str, weights: bool) -> None:
    assert has_weights(name, framework) is weights


def test_functions_of_torch_layers_are_named_as_pytorch_names_them() -> None:
    names = {row.function for row in torch_layers(LayerFamily.DROPOUT, LayerFamily.POOLING, LayerFamily.GLOBAL_POOLING)}
    known = {"dropout", "dropout2d", "alpha_dropout", "feature_alpha_dropout", "max_pool2d", "lp_pool1d"}
    assert known | {"avg_pool3d", "adaptive_avg_pool2d"} <= names


def test_losses_in_a_text_are_found_by_any_of_their_names() -> None:
    assert [row.name for row in losses_in("criterion = nn.MSELoss()  # was cross_entropy")] == [
        "MSELoss",
        "CrossEntropyLoss",
    ]
    assert list(losses_in("nothing of the kind, at a loss for words")) == []


def test_optimizers_without_an_epsilon_are_left_out() -> None:
    names = set(names_with_epsilon())
    assert {"Adam", "AdamOptimizer", "NAdam", "RMSPropOptimizer", "Adagrad"} <= names
    assert not names & {"SGD", "MomentumOptimizer", "LBFGS", "Lion", "Adafactor"}
