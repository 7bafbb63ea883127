"""DeepFD: the classifiers that come with the package, asked about drawn runs."""

from __future__ import annotations

from bugloss.observe.recording import RecordedLayer, Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.tools.classifiers import MajorityVote
from bugloss.observe.tools.deepfd import DeepFD, _causes

SHARES = {"healthy": 0.1, "activation": 0.5, "loss": 0.3, "epochs": 0.1, "optimizer": 0.0, "learning-rate": 0.0}
PREDICTION = MajorityVote("activation", 0.5, {"random-forest": "activation"}, SHARES)


def test_a_run_without_losses_cannot_be_classified() -> None:
    assert DeepFD().diagnose([]).remarks == ("Needs a run with at least 5 losses.",)
    assert DeepFD().diagnose([Recording()]).causes == ()


def test_the_answer_is_the_same_each_time() -> None:
    recording = sketch(falling(2.3, 2.29), layers={name: {"update_ratio": 1e-8} for name in ("fc1", "fc2")})
    assert DeepFD().diagnose([recording]) == DeepFD().diagnose([recording])


def test_weights_that_hardly_move_are_no_healthy_run() -> None:
    numbers = {"update_ratio": 1e-8}
    answer = DeepFD().diagnose([sketch([2.3] * 100, layers={"fc1": numbers, "fc2": numbers})])
    assert answer.causes[0].cause in {"wrong-learning-rate", "wrong-optimizer"}


def test_kinds_of_fault_are_ranked_by_their_share_of_the_votes() -> None:
    causes = _causes(PREDICTION, sketch(), "")
    assert [(cause.cause, cause.confidence) for cause in causes] == [
        ("wrong-activation", 0.5), ("wrong-loss-function", 0.3),
    ]  # fmt: skip


def test_an_activation_is_looked_for_in_the_hidden_layers_first() -> None:
    layers = (
        RecordedLayer("fc1", "Dense", 680, 680, {"activation": "relu"}),
        RecordedLayer("fc2", "Dense", 680, 680, {"activation": "sigmoid"}),
        RecordedLayer("fc3", "Dense", 410, 410, {"activation": "softmax"}),
    )
    recording = sketch(architecture=layers)
    (cause, _) = _causes(PREDICTION, recording, "")
    assert cause.locations == ()
    (cause, _) = _causes(PREDICTION, sketch(), "")
    assert cause.locations[0].layer == "fc2"
