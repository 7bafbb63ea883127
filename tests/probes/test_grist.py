"""The probe in real environments: it reaches what can be reached, and leaves sound programs and results alone."""

from __future__ import annotations

import json
import os
import subprocess
import textwrap
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bugloss.run.environment import Environment

GRIST = Path(str(files("bugloss.probes") / "grist.py"))

TORCH = """
import torch
import torch.nn.functional as F
from torch import nn
torch.manual_seed(0)
x = torch.randn(32, 8)
y = torch.randint(3, (32,))
one_hot = F.one_hot(y, 3).float()

class Standardise(nn.Module):
    def forward(self, x):
        return (x - x.mean(0)) / (x.std(0) + EPSILON)

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))

def loss_of(out):
    LOSS

optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(3):
    loss = loss_of(model(x))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item(), model[-1].weight.sum().item(), torch.rand(1).item())
"""

FAULTY = {
    "log of softmax": ("return -(one_hot * torch.log(torch.softmax(out, 1))).sum(1).mean()", "log"),
    "log of sigmoid": ("return -torch.sigmoid(out).log().mean()", "log"),
    "division by a norm": (
        "out = out.relu(); return F.cross_entropy(out / out.norm(dim=1, keepdim=True), y)", "div",
    ),
    "root of a distance": ("return (2 - torch.sqrt((out[:16] - out[16:]).pow(2).sum(1))).relu().mean()", "sqrt"),
    "softmax by hand": ("e = out.exp(); return -(e / e.sum(1, keepdim=True) + 1e-6).log().mean()", "div"),
}  # fmt: skip

SOUND = {
    "log softmax": "return F.nll_loss(F.log_softmax(out, 1), y)",
    "clamped": "return -torch.log(torch.softmax(out, 1).clamp(min=1e-7)).mean()",
    "log with epsilon": "return -torch.log(torch.sigmoid(out) + 1e-7).mean()",
    "norm with epsilon": "return F.cross_entropy(out / (out.norm(dim=1, keepdim=True) + 1e-6), y)",
    "root with epsilon": "return (2 - torch.sqrt((out[:16] - out[16:]).pow(2).sum(1) + 1e-9)).relu().mean()",
    "stable softmax by hand": (
        "e = (out - out.max(1, keepdim=True).values).exp(); return -(e / e.sum(1, keepdim=True) + 1e-6).log().mean()"
    ),
    "division by a count": "return F.cross_entropy(out, y, reduction='sum') / one_hot.sum()",
}

KERAS = """
import numpy as np
import keras
from keras import ops
keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
x = rng.normal(size=(64, 8)).astype("float32")
y = np.eye(3, dtype="float32")[rng.integers(3, size=64)]

def loss_of(y, out):
    LOSS

model = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="sgd", loss=loss_of)
model.fit(x, y, epochs=1, verbose=0)
print(float(model.evaluate(x, y, verbose=0)), float(np.sum(model.get_weights()[0])))
"""

Probe = Callable[..., tuple[subprocess.CompletedProcess[str], list[dict[str, Any]]]]


@pytest.fixture
def probe(tmp_path: Path, stack: Callable[[str], Environment]) -> Probe:
    """Runs a text as a script below the probe, or without it."""

    def start(
        name: str, text: str, seconds: float = 8, watched: bool = True
    ) -> tuple[subprocess.CompletedProcess[str], list[dict[str, Any]]]:
        environment = stack(name)
        script, evidence = tmp_path / "script.py", tmp_path / "evidence.jsonl"
        script.write_text(text)
        evidence.unlink(missing_ok=True)
        variables = {"TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            [environment.python, *([str(GRIST), str(seconds)] if watched else []), "script.py"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
            env={"PATH": os.environ["PATH"], "BUGLOSS_EVIDENCE": str(evidence), **variables, **environment.variables},
        )  # fmt: skip
        lines = evidence.read_text().splitlines() if evidence.exists() else []
        return done, [json.loads(line) for line in lines]

    return start


def dangers(events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    assert [event for event in events if event["event"] == "failed"] == []
    assert events[-1]["event"] == "searched"
    return [(event["operation"].strip("_"), event["path"]) for event in events if event["event"] == "danger"]


def torch_program(loss: str, epsilon: str = "1e-6") -> str:
    return TORCH.replace("LOSS", loss.replace("; ", "\n    ")).replace("EPSILON", epsilon)


@pytest.mark.stack
@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_loss_of_torch_is_reached(probe: Probe, fault: str) -> None:
    loss, operation = FAULTY[fault]
    done, events = probe("torch", torch_program(loss), 20)
    assert done.returncode == 0, done.stderr
    assert (operation, "script.py") in dangers(events)


@pytest.mark.stack
@pytest.mark.parametrize("case", SOUND)
def test_a_sound_loss_of_torch_raises_no_alarm(probe: Probe, case: str) -> None:
    done, events = probe("torch", torch_program(SOUND[case]))
    assert done.returncode == 0, done.stderr
    assert dangers(events) == []


@pytest.mark.stack
@pytest.mark.parametrize(("epsilon", "reached"), [("0", [("div", "script.py")]), ("1e-5", [])])
def test_a_division_by_the_spread_inside_a_model(probe: Probe, epsilon: str, reached: list[tuple[str, str]]) -> None:
    text = torch_program("return F.cross_entropy(out, y)", epsilon)
    text = text.replace("nn.Sequential(", "nn.Sequential(Standardise(), ")
    assert dangers(probe("torch", text)[1]) == reached


@pytest.mark.stack
def test_the_witness_and_its_line_are_told(probe: Probe) -> None:
    text = torch_program(FAULTY["root of a distance"][0])
    _, events = probe("torch", text)
    found = events[0]
    assert "torch.sqrt" in text.splitlines()[found["line"] - 1]
    assert (found["stage"], found["hit"], found["operand"][0]) == ("data", "gradient", 0.0)
    assert found["observed"][0] > 0
    assert [one["shape"] for one in found["inputs"]] == [[32, 8]]


@pytest.mark.stack
@pytest.mark.parametrize("name", ["torch", "keras3"])
def test_the_program_computes_the_same_with_and_without_the_probe(probe: Probe, name: str) -> None:
    faulty = torch_program(FAULTY["log of softmax"][0])
    text = faulty if name == "torch" else KERAS.replace("LOSS", "return -ops.sum(y * ops.log(out), axis=-1)")
    plain, _ = probe(name, text, watched=False)
    assert plain.returncode == 0, plain.stderr
    assert probe(name, text, 2)[0].stdout == plain.stdout


@pytest.mark.stack
def test_a_script_that_fails_keeps_its_failure(probe: Probe) -> None:
    done, events = probe("torch", torch_program(FAULTY["root of a distance"][0]) + "raise SystemExit(7)\n")
    assert done.returncode == 7
    assert dangers(events) == [("sqrt", "script.py")]


@pytest.mark.stack
def test_a_script_without_a_model_is_left_in_peace(probe: Probe) -> None:
    done, events = probe("torch", "import torch\nprint(torch.log(torch.zeros(1)).item())\n")
    assert done.stdout.strip() == "-inf"
    assert (dangers(events), events[-1]["sites"]) == ([], 0)


@pytest.mark.stack
@pytest.mark.parametrize(
    ("loss", "reached"),
    [
        ("return -ops.sum(y * ops.log(out), axis=-1)", ["log"]),
        ("return ops.mean(y / out, axis=-1)", ["realdiv"]),
        ("return -ops.sum(y * ops.log(out + 1e-7), axis=-1)", []),
        ("return keras.losses.categorical_crossentropy(y, out)", []),
        ("return ops.sqrt(ops.sum(ops.square(y - out), axis=-1) + 1e-7)", []),
    ],
)
def test_losses_of_keras(probe: Probe, loss: str, reached: list[str]) -> None:
    done, events = probe("keras3", KERAS.replace("LOSS", loss), 15)
    assert done.returncode == 0, done.stderr
    assert dangers(events) == [(operation, "script.py") for operation in reached]
    text = KERAS.replace("LOSS", loss).splitlines()
    assert all(loss in text[event["line"] - 1] for event in events if event["event"] == "danger")


@pytest.mark.stack
@pytest.mark.parametrize(("epsilon", "reached"), [("", ["log"]), (" + 1e-7", [])])
def test_the_keras_of_tensorflow_2_8(probe: Probe, epsilon: str, reached: list[str]) -> None:
    text = textwrap.dedent(
        f"""
        import numpy as np
        import tensorflow as tf
        tf.random.set_seed(0)
        x = np.random.RandomState(0).normal(size=(64, 8)).astype("float32")

        class Surprise(tf.keras.layers.Layer):
            def call(self, p):
                return -tf.math.log(p{epsilon})

        model = tf.keras.Sequential([tf.keras.layers.Dense(1, activation="sigmoid"), Surprise()])
        model.compile("sgd", "mse")
        model.fit(x, x[:, :1], epochs=1, verbose=0)
        """
    )
    done, events = probe("tf2", text, 15)
    assert done.returncode == 0, done.stderr
    assert dangers(events) == [(operation, "script.py") for operation in reached]
