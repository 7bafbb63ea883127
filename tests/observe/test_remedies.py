"""Edits that would remove a fault: found in the program from what was recorded of its run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.edit import Edit
from bugloss.core.finding import Severity
from bugloss.observe.case import Case
from bugloss.observe.recording import Evaluation, LossFunction, Numbers, RecordedLayer, Started, Targets
from bugloss.observe.remedies.data import guarded_operand
from bugloss.observe.remedies.table import remedies
from bugloss.observe.sketch import sketch
from bugloss.observe.sources import Sources

LOOP = """\
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        loss = criterion(model(x), y)  # one batch
        loss.backward()
        optimizer.step()
"""
SITE = {"site": Site("train.py", 2)}
KERAS = Started("keras", "3.0")


@dataclass(frozen=True)
class Remedy:
    """A program with a fault, what was recorded of it, and the edit that removes the fault."""

    fault: str
    source: str
    words: str
    expected: str  # a line of the program afterwards
    symptoms: tuple[str, ...] = ()
    recorded: dict[str, Any] = field(default_factory=dict)


REMEDIES = {
    "a learning rate where it was typed": Remedy(
        "learning-rate-too-low",
        "RATE = 1e-9\noptimizer = SGD(p, lr=RATE)\n",
        "write `RATE = 0.01` instead of `RATE = 1e-9` in line 1",
        "RATE = 0.01",
        recorded={"optimizer": {"kind": "SGD", **SITE}},
    ),
    "a learning rate that is the default": Remedy(
        "learning-rate-too-high",
        "model.compile(\n    optimizer=keras.optimizers.Adam(), loss='mse')\n",
        "add `learning_rate=0.0001` to `keras.optimizers.Adam()` in line 2",
        "    optimizer=keras.optimizers.Adam(learning_rate=0.0001), loss='mse')",
        recorded={"optimizer": {"kind": "Adam", "settings": {"learning_rate": 0.001}, **SITE}, "started": KERAS},
    ),
    "epochs": Remedy(
        "too-few-epochs",
        "optimizer = Adam(p)\nfor epoch in range(3):\n    loss.backward()\n",
        "write `12` instead of `3` in line 2",
        "for epoch in range(12):",
        recorded={"optimizer": SITE},
    ),
    "an extreme dropout rate": Remedy(
        "dropout-rate-too-high",
        "a = nn.Dropout(0.3)\nb = nn.Dropout(p=0.95)\n",
        "write `p=0.3` instead of `p=0.95` in line 2",
        "b = nn.Dropout(p=0.3)",
        recorded={
            "architecture": [
                RecordedLayer("a", "Dropout", settings={"rate": 0.3}, site=Site("train.py", 1)),
                RecordedLayer("b", "Dropout", settings={"rate": 0.95}, site=Site("train.py", 2)),
            ]
        },
    ),
    "gradients that nothing clears": Remedy(
        "gradients-not-cleared",
        LOOP,
        "insert `optimizer.zero_grad()` before `loss.backward()` in line 6",
        "        optimizer.zero_grad()",
        recorded={"optimizer": SITE},
    ),
    "training in evaluation mode": Remedy(
        "training-mode-not-restored",
        f"{LOOP}    model.eval()\n",
        "insert `model.train()` before `for x, y in loader: …` in line 4",
        "    model.train()",
        recorded={"optimizer": SITE},
    ),
    "evaluation in training mode": Remedy(
        "missing-evaluation-mode",
        f"{LOOP}with torch.no_grad():\n    scores = model(held_out)\n",
        "insert `model.eval()` before `with torch.no_grad(): …` in line 8",
        "model.eval()",
        recorded={
            "optimizer": SITE,
            "model": {"kind": "Net"},
            "evaluations": (Evaluation(3, site=Site("train.py", 9)),),
        },
    ),
    "evaluation with gradients": Remedy(
        "gradients-recorded-in-evaluation",
        f"import torch\n{LOOP}for x, y in held_out:\n    scores = model(x)\n",
        "put `for x, y in held_out: …` in line 9 under `with torch.no_grad():`",
        "        scores = model(x)",
        recorded={
            "optimizer": SITE,
            "model": {"kind": "Net"},
            "evaluations": (Evaluation(3, site=Site("train.py", 10)),),
        },
    ),
    "operands of two shapes": Remedy(
        "silent-broadcast",
        "loss = nn.MSELoss()(model(x), y)\n",
        "write `model(x).squeeze(-1)` instead of `model(x)` in line 1",
        "loss = nn.MSELoss()(model(x).squeeze(-1), y)",
        recorded={
            "loss_functions": [
                LossFunction(
                    "mse", "MSELoss", site=Site("train.py", 1), output_shape=(8, 1), target_shape=(8,), broadcast=True
                )
            ]
        },
    ),
    "a formula over operands of two shapes": Remedy(
        "silent-broadcast",
        "guess = model(x)\nloss = ((y - guess) ** 2).mean()\n",
        "write `guess.squeeze(-1)` instead of `guess` in line 2",
        "loss = ((y - guess.squeeze(-1)) ** 2).mean()",
        recorded={
            "loss_functions": [
                LossFunction(
                    "custom", "mean", site=Site("train.py", 2), output_shape=(8, 1), target_shape=(8,), broadcast=True
                )
            ]
        },
    ),
    "a softmax in the forward pass": Remedy(
        "wrong-activation",
        "class Net(nn.Module):\n    def forward(self, x):\n        return F.softmax(self.out(x), dim=1)\n"
        "criterion = nn.CrossEntropyLoss()\nloss = criterion(model(x), y)\n",
        "remove `F.softmax` in line 3",
        "        return self.out(x)",
        recorded={
            "model": {"kind": "Net", "output_activation": "softmax"},
            "loss_functions": [
                LossFunction("cross-entropy", "CrossEntropyLoss", site=Site("train.py", 5), output_shape=(8, 10))
            ],
            "batch": {"outputs": Numbers((8, 10), "float32", 0.01, 0.9, 0.1, 0.1)},
        },
    ),
    "a loss for labels of another encoding": Remedy(
        "wrong-loss-function",
        "model.compile(\n    loss='categorical_crossentropy')\n",
        "write `'sparse_categorical_crossentropy'` instead of `'categorical_crossentropy'` in line 2",
        "    loss='sparse_categorical_crossentropy')",
        ("label-encoding-mismatch",),
        recorded={
            "started": KERAS,
            "batch": {"targets": Targets("index", 10, {"0": 4, "9": 4}), "outputs": None},
            "loss_functions": [
                LossFunction(
                    "cross-entropy", "categorical_crossentropy", False, site=Site("train.py", 1), output_shape=(8, 10)
                )
            ],
        },
    ),
    "images as bytes": Remedy(
        "unnormalised-input",
        "x, y = load()\nmodel.fit(x, y)\n",
        "insert `x = x / 255.0` before `model.fit(x, y)` in line 2",
        "x = x / 255.0",
        recorded={
            "batch": {"inputs": (Numbers((8, 28, 28), "uint8", 0, 255, 33, 80),)},
            "data": {"site": Site("train.py", 2)},
        },
    ),
    "a logarithm of zero": Remedy(
        "numeric-instability",
        "loss = -torch.log(p).mean()\n",
        "write `p + 1e-8` instead of `p` in line 1",
        "loss = -torch.log(p + 1e-8).mean()",
        ("first-bad-operation",),
    ),
    "everything frozen": Remedy(
        "everything-frozen",
        "for weight in model.parameters():\n    weight.requires_grad = False\n",
        "write `weight.requires_grad = True` instead of `weight.requires_grad = False` in line 2",
        "    weight.requires_grad = True",
    ),
    "an optimizer of one layer": Remedy(
        "optimizer-misses-parameters",
        LOOP.replace("model.parameters", "model.head.parameters"),
        "write `model` instead of `model.head` in line 2",
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)",
        recorded={"optimizer": SITE},
    ),
    "weights that all start alike": Remedy(
        "wrong-weight-initialization",
        "from torch import nn\nlayer = nn.Linear(3, 4)\nnn.init.constant_(layer.weight, 0.5)\n",
        "write `nn.init.xavier_uniform_(layer.weight)` instead of `nn.init.constant_(layer.weight, 0.5)` in line 3",
        "nn.init.xavier_uniform_(layer.weight)",
        ("symmetric-weights",),
    ),
}


def edits_of(remedy: Remedy) -> list[Edit]:
    site = Site("train.py", 1)
    symptoms = tuple(Symptom(name, Severity.ERROR, name, 0, site=site) for name in remedy.symptoms)
    sources = Sources(lambda path: remedy.source if path == "train.py" else None, ("train.py",))
    return list(remedies(remedy.fault, Case(sketch(**remedy.recorded), symptoms, sources=sources)))


@pytest.mark.parametrize("remedy", REMEDIES.values(), ids=REMEDIES)
def test_the_edit_says_and_does_what_removes_the_fault(remedy: Remedy) -> None:
    first = edits_of(remedy)[0]
    changed = first.apply("train.py", remedy.source)
    assert (first.text, first.fits("train.py", remedy.source)) == (remedy.words, True)
    assert remedy.expected in changed.splitlines()
    assert first.inverse.apply("train.py", changed) == remedy.source


@pytest.mark.parametrize(
    ("fault", "source"),
    [
        ("learning-rate-too-low", "x = 1\noptimizer = SGD(p, lr=choose())\n"),
        ("gradients-not-cleared", LOOP.replace("        loss.b", "        optimizer.zero_grad()\n        loss.b")),
        ("missing-optimizer-step", LOOP),
        ("silent-broadcast", LOOP),
        ("input-ignored", LOOP),
    ],
)
def test_what_cannot_be_known_is_not_edited(fault: str, source: str) -> None:
    assert edits_of(Remedy(fault, source, "", "", recorded={"optimizer": {"kind": "SGD", **SITE}})) == []


@pytest.mark.parametrize(
    ("imports", "operand", "expected"),
    [
        ("import torch", "(p - y).mean()", "loss = torch.sqrt((p - y).mean().clamp(min=1e-8))"),
        ("import torch", "p - y", "loss = torch.sqrt((p - y).clamp(min=1e-8))"),
        ("import tensorflow as tf", "p - y", "loss = tf.sqrt(tf.maximum(p - y, 1e-8))"),
    ],
)
@pytest.mark.parametrize("direction", ["loss", "backward"])
def test_a_root_of_what_was_negative_gets_a_lower_bound(
    imports: str, operand: str, expected: str, direction: str
) -> None:
    source = f"{imports}\nloss = {imports.split()[-1]}.sqrt({operand})\n"
    seen = Symptom(
        "first-bad-operation", Severity.ERROR, "", site=Site("train.py", 2), evidence={"direction": direction}
    )
    (edit,) = guarded_operand(Case(sketch(), (seen,), sources=Sources({"train.py": source}.get, ("train.py",))))
    assert (expected in edit.apply("train.py", source).splitlines()) is (direction == "loss")
