"""The observing probe with PyTorch: it changes nothing, and what it writes is true."""

from __future__ import annotations

import os
import subprocess
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from torch_programs import COMPILED, FAULTY, HEALTHY, SAME

from bugloss.observe.recording import RecordedModel, Recording, read
from bugloss.run.environment import Environment

PROBE = Path(str(files("bugloss.probes") / "observe"))

HEADER = """
import copy, hashlib, random, threading, warnings
import numpy, torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0), random.seed(0), numpy.random.seed(0)

def digest(*models):
    values = b"".join(v.detach().double().numpy().tobytes() for m in models for v in m.state_dict().values())
    return hashlib.sha1(values).hexdigest(), torch.rand(1).item(), random.random(), numpy.random.rand()
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that ran, plain or observed."""

    code: int
    out: str
    errors: str
    recording: Recording


@pytest.fixture
def run(tmp_path: Path, stack: Callable[[str], Environment]) -> Callable[..., Ran]:
    """Runs a program with PyTorch, observed or not."""

    def start(program: str, observed: bool = True) -> Ran:
        script, events = tmp_path / "train.py", tmp_path / "events.jsonl"
        script.write_text(textwrap.dedent(HEADER) + textwrap.dedent(program))
        python = stack("torch").python
        settings = f'{{"events": "{events}", "budget": 5}}'
        done = subprocess.run(
            [python, *([str(PROBE), settings] if observed else []), "train.py"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
            env={"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", "HOME": str(tmp_path)},
        )  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr, read(events.read_text().splitlines() if observed else []))

    return start


def last(recording: Recording, name: str) -> RecordedModel:
    return [model for model in recording.models if model.model == name][-1]


@pytest.mark.stack
def test_nothing_that_a_program_does_is_changed(run: Callable[..., Ran]) -> None:
    """Weights to the last bit, random numbers, output, warnings with their lines, traceback, exit code, wrapped names."""
    plain, seen = run(SAME, observed=False), run(SAME)
    assert plain.code == seen.code == 1 and plain.out.count("forward") == 4
    assert seen.out == plain.out
    assert seen.errors == plain.errors
    recording = seen.recording
    assert not recording.failures and recording.unread == 0
    assert recording.crash is not None and recording.crash.exception.message == "the end"
    assert len(recording.steps) == 8 + 6 + 8 + 5 + 3 + 4 + 3
    skipped = [step.step for step in recording.steps if step.skipped]
    assert skipped == [24] and recording.steps[23].loss_scale == 64.0
    bad = [found for found in recording.nonfinite if found.direction == "forward"]
    assert [(found.operation, found.site and found.site.text) for found in bad] == []  # the scaled loss came first
    assert recording.cost is not None and recording.cost.mode == "steps-only" and "TorchScript" in recording.cost.why


@pytest.mark.stack
def test_a_healthy_run_is_told_truly(run: Callable[..., Ran]) -> None:
    seen = run(HEALTHY)
    assert seen.code == 0, seen.errors
    recording = seen.recording
    assert not recording.failures and not recording.nonfinite and not recording.occasions
    check_structure(recording)
    check_steps(recording)
    check_samples(recording)
    check_data(recording)


def check_structure(recording: Recording) -> None:
    assert recording.started is not None and recording.started.framework == "torch"
    model = last(recording, "model-0")
    assert (model.kind, model.parameters, model.output_activation) == ("Net", 227, "linear")
    assert model.site is not None and model.site.text == "model = Net()"
    layers = [(layer.name, layer.kind, layer.used, layer.settings.get("activation")) for layer in model.layers]
    assert layers == [
        ("fc1", "Linear", True, "relu"),
        ("drop", "Dropout", True, None),
        ("fc2", "Linear", True, "linear"),
    ]
    assert model.layers[0].site is not None and model.layers[0].site.text == "self.fc1 = nn.Linear(10, 16)"
    assert model.layers[0].settings["units"] == 16 and model.layers[1].settings["rate"] == 0.2
    optimizer = recording.optimizers[0]
    assert (optimizer.kind, optimizer.settings["learning_rate"], optimizer.parameters) == ("Adam", 0.01, 4)
    assert optimizer.site is not None and "lr=0.01" in optimizer.site.text
    assert (optimizer.missing, optimizer.foreign) == ((), 0)
    losses = [(loss.kind, loss.from_logits, loss.output_shape, loss.target_shape) for loss in recording.losses]
    assert losses == [("cross-entropy", True, (16, 3), (16,))] * 2


def check_steps(recording: Recording) -> None:
    assert [step.step for step in recording.steps] == list(range(24))
    assert [step.epoch for step in recording.steps] == [0] * 8 + [1] * 8 + [2] * 8
    assert {(step.batch, step.backwards, step.cleared, step.learning_rate) for step in recording.steps} == {
        (16, 1, True, 0.01)
    }
    assert all(step.loss is not None and step.accuracy is not None for step in recording.steps)
    epochs = recording.epochs
    assert [(epoch.epoch, epoch.step) for epoch in epochs] == [(0, 7), (1, 15), (2, 23)]
    assert epochs[0].loss == pytest.approx(sum(recording.loss_values[:8]) / 8)
    evaluation = recording.evaluations[2]
    assert (evaluation.batches, evaluation.samples, evaluation.data) == (2, 32, "validation")
    assert not evaluation.training_modes and not evaluation.gradients_on and sum(evaluation.predicted.values()) == 32
    assert (epochs[2].validation_loss, epochs[2].validation_accuracy) == (evaluation.loss, evaluation.accuracy)


def check_samples(recording: Recording) -> None:
    assert [sample.step for sample in recording.samples][:9] == [0, 1, 2, 3, 5, 8, 12, 16, 20]
    first, drop, head = recording.samples[0].layers.values()
    assert first.gradient_rms and first.changed and first.symmetric is False and first.dead_share is not None
    # Adam moves every weight by its learning rate at first.
    assert first.update_ratio is not None and first.weight_rms is not None
    assert first.update_ratio * first.weight_rms == pytest.approx(0.01, rel=0.05)
    assert first.zero_share is not None and 0.2 < first.zero_share < 0.8
    assert drop.weight_rms is None and drop.output_std and head.dead_share is None
    norm = recording.steps[0].gradient_norm
    assert norm is not None and head.gradient_rms is not None
    squares = 176 * first.gradient_rms**2 + 51 * head.gradient_rms**2
    assert norm == pytest.approx(squares**0.5, rel=1e-3)


def check_data(recording: Recording) -> None:
    train, held_out = recording.data
    assert (train.phase, train.samples, train.batch_size, train.shuffled, train.workers) == ("train", 128, 16, True, 0)
    assert (held_out.phase, held_out.samples, held_out.shuffled, held_out.overlap) == ("validation", 32, False, 0.0)
    assert train.targets is not None and (train.targets.encoding, train.targets.classes) == ("index", 3)
    assert sum(train.targets.counts.values()) == 128
    batch = recording.batches[0]
    assert (batch.step, batch.phase, batch.size) == (0, "train", 16)
    assert batch.inputs[0].shape == (16, 10) and len(batch.features[0].hashes) == 16
    assert batch.target is not None and batch.outputs is not None and batch.output_spread


@pytest.mark.stack
def test_faults_are_seen_where_they_are(run: Callable[..., Ran]) -> None:
    seen = run(FAULTY)
    recording = seen.recording
    assert seen.code == 1 and "observe" not in seen.errors and not recording.failures
    check_faulty_model(recording)
    check_faulty_steps(recording)
    check_bad_gradient(recording)
    crash = recording.crash
    assert crash is not None and crash.layer == "out"
    operands = {operand.name: operand.shape for operand in crash.operands if operand.path == "train.py"}
    assert operands["self.out.weight"] == (2, 10)


def check_faulty_model(recording: Recording) -> None:
    model = last(recording, "model-0")
    assert model.unregistered == ("hidden[0]",)
    used = {layer.name: layer.used for layer in model.layers}
    assert used["first"] and not used["spare"]
    assert [layer.kind for layer in model.layers if layer.in_forward] == ["Linear"]
    first = recording.optimizers[0]
    assert first.foreign == 2 and "first.weight" in first.missing
    assert recording.losses[0].broadcast and recording.losses[0].target_shape == (40,)
    evaluation = recording.evaluations[0]
    assert evaluation.training_modes == ("drop",) and evaluation.batches == 1 and evaluation.data == "train"
    assert any(
        occasion.kind == "warning" and "target size" in occasion.facts["message"] for occasion in recording.occasions
    )


def check_faulty_steps(recording: Recording) -> None:
    partial = [step for step in recording.steps if step.optimizer == "optimizer-1"]
    assert [step.backwards for step in partial] == [2] * 6
    assert [step.cleared for step in partial] == [True, False, False, False, True, True]
    assert recording.optimizers[1].missing == ("bias",)
    late = [occasion for occasion in recording.occasions if occasion.kind == "cleared-before-step"]
    assert sum(occasion.count for occasion in late) == 3 and late[0].site is not None
    assert late[0].site.text == "only.zero_grad()"
    own = [loss for loss in recording.losses if loss.kind == "custom"]
    assert all(not loss.broadcast for loss in own)


def check_bad_gradient(recording: Recording) -> None:
    found = recording.nonfinite[0]
    assert (found.direction, found.operation) == ("backward", "sqrt")
    assert found.site is not None and found.site.function == "far" and "torch.sqrt" in found.site.text


@pytest.mark.stack
@pytest.mark.slow
def test_a_compiled_model_is_compiled_as_without_us(run: Callable[..., Ran]) -> None:
    plain, seen = run(COMPILED, observed=False), run(COMPILED)
    assert (seen.code, seen.out, seen.errors) == (plain.code, plain.out, plain.errors) and plain.code == 0
    recording = seen.recording
    assert recording.cost is not None and recording.cost.mode == "steps-only" and "compile" in recording.cost.why
    assert len(recording.steps) == 4 and not recording.failures
    assert recording.samples[0].layers["0"].gradient_rms and recording.samples[0].layers["0"].output_std is None
    assert all(layer.used for layer in last(recording, "model-0").layers)


# What needs no framework


@pytest.mark.parametrize(
    ("losses", "calls", "expected"),
    [
        ([], [], (None, None)),
        ([0.5], [], (0.5, None)),
        ([1.0, 3.0], [1.0, 3.0], (2.0, 1.0)),  # parts of a batch as the loss function left them
        ([0.25, 0.75], [1.0, 3.0], (1.0, 0.25)),  # parts that were scaled down
        ([1.0, 2.0], [], (3.0, None)),  # terms of one loss
        ([float("nan"), 1.0], [1.0, 1.0], (pytest.approx(float("nan"), nan_ok=True), None)),
    ],
)
def test_losses_of_several_backward_passes_are_joined(
    probe: Callable[[str], Any], losses: list[float], calls: list[float], expected: tuple[Any, Any]
) -> None:
    assert probe("torch.steps").joined_loss(losses, calls) == expected


def test_gradients_count_as_cleared_when_they_were_so_at_any_backward_pass(probe: Callable[[str], Any]) -> None:
    was_clean = probe("torch.steps").was_clean
    assert was_clean(None) is None and was_clean(True) is True
    assert was_clean([[0.5, 0.1], [0.0, 0.0]]) and was_clean([[0.5], True]) and not was_clean([[0.0, 0.2]])


def test_numbers_of_a_layer_are_joined_over_its_parameters(probe: Callable[[str], Any]) -> None:
    weight = {
        "role": "weight", "size": 4, "variance": 1.0, "mean": 0.0, "weight_bad": 0, "symmetric": False, "norm": 4.0,
        "thinned": 1.0, "gradient_size": 4, "gradient_most": 2.0, "gradient_zeros": 0.0, "gradient_bad": 0,
        "moved": 0.04, "same": False, "whole": True, "written": True,
    }  # fmt: skip
    bias = {**weight, "role": "bias", "size": 1, "variance": 0.0, "mean": 3.0, "most": 3.0, "norm": None}
    told = probe("torch.weights").layer_numbers([weight, bias])
    assert (told["weight_rms"], told["weight_std"], told["gradient_rms"]) == (1.0, 1.0, 1.0)
    assert told["update_ratio"] == pytest.approx(0.1) and told["changed"] is True
    assert (told["bias_mean"], told["bias_maximum"], told["symmetric"]) == (3.0, 3.0, False)


def test_a_large_parameter_of_which_no_change_was_seen_is_not_called_unchanged(probe: Callable[[str], Any]) -> None:
    """The rows of a large embedding that a step changes may all lie between those that are compared."""
    movement = probe("torch.weights").movement
    part = {"moved": 0.0, "same": True, "whole": False, "written": True, "variance": 1.0, "mean": 0.0, "size": 9}
    assert movement([part], [part])["changed"] is None
    assert movement([{**part, "written": False}], [part])["changed"] is False
    assert movement([{**part, "whole": True}], [part])["changed"] is False


def epochs(probe: Callable[[str], Any]) -> tuple[Any, list[dict[str, Any]]]:
    recorder = probe("core").Recorder(None)
    told: list[dict[str, Any]] = []
    recorder.emit = lambda event, **fields: told.append(fields)
    return probe("torch.phases").Epochs(recorder), told


def test_an_epoch_ends_with_a_pass_over_the_loader_or_with_a_validation(probe: Callable[[str], Any]) -> None:
    ledger, told = epochs(probe)
    for number in range(3):
        for _ in range(2):
            ledger.stepped(1.0 - 0.1 * number, 0.5, 0.01)
        ledger.passed_loader()
        if number == 1:
            ledger.evaluated({"loss": 0.8, "accuracy": None}, False)
    ledger.complete()
    assert [(one["epoch"], one["loss"], one["validation_loss"]) for one in told] == [
        (0, 1.0, None), (1, 0.9, 0.8), (2, 0.8, None),
    ]  # fmt: skip


def test_evaluations_between_steps_of_one_pass_make_the_epochs(probe: Callable[[str], Any]) -> None:
    ledger, told = epochs(probe)
    for number in range(6):
        ledger.stepped(float(number), None, 0.01)
        if number % 2:
            ledger.evaluated({"loss": 1.0, "accuracy": 0.5}, False)
    ledger.passed_loader()
    ledger.complete()
    assert [one["loss"] for one in told] == [0.5, 2.5, 4.5]


def test_of_two_evaluations_the_one_on_samples_met_in_training_is_no_validation(probe: Callable[[str], Any]) -> None:
    phases = probe("torch.phases")

    def stretch(overlap: float | None) -> Any:
        one = phases.Stretch(phases.Pass(None, object(), None), 0)
        one.overlap = overlap
        return one

    for overlaps, expected in [((0.9, 0.0), [True, False]), ((0.9,), [False]), ((0.9, 0.8), [False, False])]:
        stretches = [stretch(overlap) for overlap in overlaps]
        phases.tell_apart(stretches)
        assert [one.on_training for one in stretches] == expected
