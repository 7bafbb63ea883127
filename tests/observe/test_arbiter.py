"""Clues are added up, the likeliest fault comes first, and where nothing is wrong nothing is blamed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bugloss.core.diagnosis import FailedPlugin, Location, Site, Symptom
from bugloss.core.edit import Span
from bugloss.core.finding import Finding, Severity
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.observe import causes
from bugloss.observe.arbiter import confidences, rank
from bugloss.observe.case import Case
from bugloss.observe.causes.plain import PlainFault
from bugloss.observe.contract import Detector
from bugloss.observe.fault import Clue, Fault, seen
from bugloss.observe.recording import NonFinite, Numbers, RecordedLayer, Recording, Started
from bugloss.observe.sketch import sketch
from bugloss.observe.sources import Sources
from bugloss.observe.weights import FaultWeights

FAULTS = load(PluginGroup.FAULT, Fault)


def symptom(name: str, severity: Severity = Severity.WARNING, **rest: object) -> Symptom:
    return Symptom(name, severity, f"{name} was seen", **rest)  # type: ignore[arg-type]


def first(case: Case) -> str | None:
    ranked = rank(case, FAULTS.values())
    return ranked[0].cause if ranked else None


def finding(rule: str) -> Finding:
    return Finding(rule, "train.py", Span(7, 0, 7, 5), "said so", Severity.ERROR, Category.API, FixPattern.API_CONTRACT)


def test_a_healthy_run_has_no_cause() -> None:
    assert rank(Case(sketch()), FAULTS.values()) == ()


def test_advice_alone_is_no_reason_to_blame_anything() -> None:
    case = Case(sketch(), (symptom("gradients-not-cleared", Severity.ADVICE),))
    assert rank(case, FAULTS.values()) == ()


@pytest.mark.parametrize(("zeros", "size", "blamed"), [(0.7, 10, True), (0.7, 64, False), (0.1, 10, False)])
def test_batches_without_any_weight_are_blamed_where_there_must_be_some(zeros: float, size: int, blamed: bool) -> None:
    weights = Numbers((1000,), "float32", 0.0, 1.0, 1 - zeros, zero_share=zeros)
    run = sketch(data={"weights": weights, "batch_size": size})
    causes = [cause.cause for cause in rank(Case(run, (symptom("loss-nonfinite"),)), FAULTS.values())]
    assert ("zero-sample-weights" in causes) is blamed


def test_a_loss_that_takes_the_logarithm_of_negative_outputs_blames_the_activation() -> None:
    outputs = Numbers((100, 1), "float32", -1.6, -0.04, -0.7)
    run = sketch(nonfinite=(NonFinite(0, "loss", "", "poisson", inputs=(outputs,)),))
    seen = (symptom("first-bad-operation", Severity.ERROR), symptom("loss-nonfinite", Severity.ERROR))
    assert [cause.cause for cause in rank(Case(run, seen), FAULTS.values())] == [
        "wrong-activation",
        "numeric-instability",
    ]


def test_units_that_the_first_steps_kill_do_not_accuse_the_initial_weights() -> None:
    def named(first_share: float) -> set[str]:
        dead = symptom("dead-units", step=2, layer="fc1", evidence={"dead_share": 1.0, "first_share": first_share})
        return {clue.name for clue in FAULTS["wrong-weight-initialization"].clues(Case(sketch(), (dead,)))}

    assert "dead-from-the-start" in named(0.97)
    assert "dead-from-the-start" not in named(0.1)


@pytest.mark.parametrize("lost_in", ["vanishing-gradient", "dead-units"])
def test_layers_in_which_the_signal_is_lost_explain_an_input_without_effect(lost_in: str) -> None:
    ignored = symptom("input-ignored")
    assert first(Case(sketch(), (ignored,))) == "input-ignored"
    assert first(Case(sketch(), (ignored, symptom(lost_in, layer="fc1")))) != "input-ignored"


def test_an_activation_module_counts_with_the_layer_before_it() -> None:
    layers = tuple(
        RecordedLayer(f"net.{number}", kind, 100 * (kind == "Linear"), 0, {"activation": "sigmoid"})
        for number, kind in enumerate(["Linear", "Sigmoid"] * 4 + ["Linear"])
    )
    case = Case(sketch(architecture=layers), (symptom("vanishing-gradient"),))
    texts = [clue.text for clue in FAULTS["wrong-activation"].clues(case) if clue.name == "squashing-layers"]
    assert texts == ["4 hidden layers with sigmoid, through which gradients vanish"]


def test_a_tiny_learning_rate_is_blamed_for_weights_that_hardly_move() -> None:
    slow = sketch(optimizer={"settings": {"learning_rate": 1e-9}})
    case = Case(slow, (symptom("loss-flat"), symptom("update-too-small")))
    assert first(case) == "learning-rate-too-low"


def test_a_usual_learning_rate_is_not_blamed_for_a_flat_loss() -> None:
    named = {cause.cause for cause in rank(Case(sketch(), (symptom("loss-flat"),)), FAULTS.values())}
    assert not named & {"learning-rate-too-low", "learning-rate-too-high"}


def test_a_huge_learning_rate_is_blamed_for_a_loss_that_bursts() -> None:
    wild = sketch(optimizer={"kind": "SGD", "settings": {"learning_rate": 50.0}})
    assert first(Case(wild, (symptom("loss-diverging"), symptom("update-too-large")))) == "learning-rate-too-high"


def test_the_line_of_the_learning_rate_is_given() -> None:
    source = "RATE = 1e-9\n" + "\n" * 18 + "optimizer = Adam(model.parameters(), lr=RATE)\n"
    slow = sketch(optimizer={"settings": {"learning_rate": 1e-9}, "site": Site("train.py", 20)})
    case = Case(slow, (symptom("loss-flat"), symptom("update-too-small")), sources=Sources(lambda path: source))
    best = rank(case, FAULTS.values())[0].locations[0]
    assert (best.path, best.line) == ("train.py", 1)


@pytest.mark.parametrize("settings", [{"momentum": 0.999}, {"maximize": True}, {"beta_1": 0.999, "beta_2": 0.9}])
def test_odd_settings_of_the_optimizer_are_blamed(settings: dict[str, object]) -> None:
    odd = sketch(optimizer={"settings": {"learning_rate": 0.001, **settings}})
    assert first(Case(odd, (symptom("loss-rising"),))) == "wrong-optimizer"


def dropout(rate: float) -> Recording:
    layers = (
        RecordedLayer("fc1", "Linear", 680, 680, {"units": 40}, Site("train.py", 10)),
        RecordedLayer("drop", "Dropout", settings={"rate": rate}, site=Site("train.py", 11)),
        RecordedLayer("fc2", "Linear", 410, 410, {"units": 10}, Site("train.py", 12)),
    )
    return sketch(architecture=layers)


def test_a_high_dropout_rate_is_blamed_where_learning_crawls() -> None:
    case = Case(dropout(0.95), (symptom("slow-learning"), symptom("dropout-extreme")))
    assert first(case) == "dropout-rate-too-high"
    assert rank(case, FAULTS.values())[0].locations[0].line == 11


def test_a_low_dropout_rate_is_blamed_where_the_model_overfits() -> None:
    assert first(Case(dropout(0.01), (symptom("overfitting"),))) == "dropout-rate-too-low"


def test_a_usual_dropout_rate_is_not_blamed() -> None:
    named = {cause.cause for cause in rank(Case(dropout(0.3), (symptom("overfitting"),)), FAULTS.values())}
    assert not {name for name in named if name.startswith("dropout")}


def test_a_finding_in_the_source_speaks_for_its_fault_and_gives_the_line() -> None:
    ranked = rank(Case(sketch(), (), (finding("missing-zero-grad"),)), FAULTS.values())
    assert ranked[0].cause == "gradients-not-cleared"
    assert ranked[0].locations[0].line == 7


def test_a_rule_that_complains_twice_speaks_once() -> None:
    once, twice = ((finding("missing-eval-mode"),) * count for count in (1, 2))
    one, two = (rank(Case(sketch(), (), found), FAULTS.values())[0].confidence for found in (once, twice))
    assert one == two


def test_a_clue_that_is_seen_twice_counts_once() -> None:
    odd = {"name": "bn1", "kind": "BatchNorm1d", "parameters": 80, "settings": {"momentum": 1.0}}
    one, two = RecordedLayer(**odd), RecordedLayer(**{**odd, "name": "bn2"})  # type: ignore[arg-type]
    cases = (Case(sketch(architecture=layers), (symptom("overfitting"),)) for layers in ((one,), (one, two)))
    once, twice = (next(cause for cause in rank(case, FAULTS.values()) if "batch" in cause.cause) for case in cases)
    assert once.confidence == twice.confidence
    assert len(twice.evidence) == len(once.evidence) + 1


def test_two_odd_settings_count_twice() -> None:
    settings = ({"momentum": 0.999}, {"momentum": 0.999, "maximize": True})
    runs = (sketch(optimizer={"settings": {"learning_rate": 0.001, **each}}) for each in settings)
    one, two = (rank(Case(run, (symptom("loss-rising"),)), FAULTS.values())[0] for run in runs)
    assert one.cause == two.cause == "wrong-optimizer"
    assert one.confidence < two.confidence


class Haunted(Fault):
    """A fault of another distribution, which has no rows in our table."""

    name = "haunted"
    fix_pattern = FixPattern.API_CONTRACT
    explanation, advice = "It is haunted.", "Call a priest."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("loss-flat"), "ghost")

    def places(self, case: Case) -> Iterator[Location]:
        yield from ()


class HauntedWithWeights(Haunted):
    weights = FaultWeights({"ghost": 6.0})


def test_a_fault_of_another_distribution_brings_its_own_weights() -> None:
    case = Case(sketch(), (symptom("loss-flat"),))
    assert [cause.cause for cause in rank(case, [HauntedWithWeights()])] == ["haunted"]


def test_a_weight_beyond_measure_does_not_stop_the_ranking() -> None:
    assert confidences([5000.0, 3.0, -5000.0]) == [0.99, 0.0, 0.0]


def test_a_fault_without_weights_is_noted() -> None:
    noted: list[FailedPlugin] = []
    assert rank(Case(sketch(), (symptom("loss-flat"),)), [Haunted()], noted.append) == ()
    assert "the clue 'ghost' has no weight" in noted[0].words


def test_evidence_and_symptoms_are_told() -> None:
    cause = rank(Case(sketch(), (symptom("zero-sample-weights", Severity.ERROR),)), FAULTS.values())[0]
    assert cause.symptoms == ("zero-sample-weights",)
    assert cause.evidence == ("zero-sample-weights was seen",)
    assert 0.9 < cause.confidence <= 0.99


def test_a_learning_rate_is_named_with_its_value_its_optimizer_and_what_to_write() -> None:
    run = sketch(optimizer={"kind": "SGD", "settings": {"learning_rate": 20.0}})
    cause = rank(Case(run, (symptom("loss-diverging"),)), [FAULTS["learning-rate-too-high"]])[0]
    assert cause.explanation == "The learning rate 20 is too high for SGD. loss-diverging was seen"
    assert cause.advice.startswith("Set lr=")


@pytest.mark.parametrize(("framework", "call"), [("torch", "model.eval()"), ("keras", "training=False")])
def test_advice_is_written_for_the_framework_of_the_program(framework: str, call: str) -> None:
    run = sketch(started=Started(framework, "3.0"))
    case = Case(run, (symptom("norm-in-training-mode-in-evaluation"),))
    cause = rank(case, [FAULTS["missing-evaluation-mode"]])[0]
    assert cause.explanation == "norm-in-training-mode-in-evaluation was seen"
    assert call in cause.advice


def test_every_fault_survives_a_recording_with_nothing_in_it() -> None:
    for fault in FAULTS.values():
        assert [clue for clue in fault.clues(Case(Recording())) if fault.weights.of(clue.name) > 0] == []
        assert list(fault.places(Case(Recording()))) == []


def test_faults_are_named_once_and_explained() -> None:
    for name, fault in FAULTS.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
        assert fault.explanation.endswith(".")
        assert fault.advice.endswith(".")
        assert not fault.keras_advice or fault.keras_advice.endswith(".")
    assert FAULTS.broken == ()


def test_faults_only_ask_for_symptoms_and_rules_that_exist() -> None:
    """A misspelt name would silently never match."""
    from bugloss.check.running.inspection import all_rules

    rules = {rule.name for rule in all_rules()}
    assert {rule for fault in FAULTS.values() for rule in fault.rules} <= rules
    detectors = set(load(PluginGroup.DETECTOR, Detector))
    assert _symptoms_asked_for() <= detectors, _symptoms_asked_for() - detectors


def _symptoms_asked_for() -> set[str]:
    asked = {name for fault in FAULTS.values() if isinstance(fault, PlainFault) for name in fault.weights.seen}
    for path in Path(causes.__path__[0]).glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for call in re.findall(r"case\.(?:saw|alarm|all_seen)\(([^)]*)\)", text):
            asked |= set(re.findall(r'"([a-z-]+)"', call))
        for table in re.findall(r"^_[A-Z]+ = \(([^)]*)\)", text, re.MULTILINE):
            asked |= set(re.findall(r'"([a-z]+-[a-z-]+)"', table))
    return asked
