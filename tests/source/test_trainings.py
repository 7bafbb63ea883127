"""What a training does, in the order it is written, whatever computes its gradients."""

from __future__ import annotations

import ast

from bugloss.source.project import Project
from bugloss.source.text.module import SourceModule
from bugloss.source.training.trainings import Training, TrainingStyle, trainings


def read(text: str) -> SourceModule:
    module = Project({"train.py": text}.get).module("train.py")
    assert module is not None
    return module


def only(text: str) -> Training:
    (training,) = trainings(read(text))
    return training


def test_the_steps_come_in_source_order_with_their_lines() -> None:
    training = only(
        "for x, y in loader:\n    opt.zero_grad()\n    out = model(x)\n    loss = criterion(out, y)\n"
        "    scaler.scale(loss).backward()\n    scaler.unscale_(opt)\n    nn.utils.clip_grad_norm_(p, 1)\n"
        "    scaler.step(opt)\n    scaler.update()\n    scheduler.step()\n"
    )
    assert [(step.role, step.line) for step in training.steps] == [
        ("zero_grad", 2), ("forward", 3), ("loss", 4), ("scale", 5), ("backward", 5), ("unscale", 6), ("clip", 7),
        ("scaler", 8), ("update", 9), ("scheduler", 10),
    ]  # fmt: skip
    assert training.style is TrainingStyle.BACKWARD
    assert [step.receiver for step in training.of("zero_grad", "scaler")] == ["opt", "scaler"]


def test_a_loss_of_a_nested_forward_pass_is_found() -> None:
    training = only("for x, y in loader:\n    (criterion(self.net(x), y) / 4).backward()\n")
    assert [(step.role, step.receiver) for step in training.steps][:2] == [
        ("forward", "self.net"),
        ("loss", "criterion"),
    ]


def test_branches_and_inner_loops_are_counted() -> None:
    training = only(
        "for x in loader:\n    loss.backward()\n    if a:\n        if b:\n            opt.step()\n        else:\n"
        "            opt.zero_grad()\n    for p in ps:\n        p.zero_grad()\n"
    )
    assert [(s.role, s.branches, s.depth) for s in training.steps] == [
        ("backward", 0, 0), ("optimizer", 2, 0), ("zero_grad", 2, 0), ("zero_grad", 0, 1)
    ]  # fmt: skip


def test_the_innermost_loop_with_a_backward_is_the_training() -> None:
    training = only("def train():\n    for epoch in range(3):\n        for x in loader:\n            loss.backward()\n")
    assert training.loop is not None
    assert training.loop.lineno == 3
    assert [outer.lineno for outer in training.outer] == [2]
    assert training.function is not None
    assert training.function.name == "train"


def test_a_loop_around_a_training_that_also_goes_backward_counts_too() -> None:
    found = trainings(read("for e in es:\n    a.backward()\n    for x in xs:\n        b.backward()\n"))
    assert [getattr(training.node, "lineno", 0) for training in found] == [1, 3]


def test_steps_in_with_and_try_blocks_and_while_loops_are_seen() -> None:
    training = only(
        "while True:\n    with autocast(), net.train():\n        loss = f(x)\n    try:\n        loss.backward()\n"
        "    finally:\n        opt.step()\n"
    )
    assert [step.role for step in training.steps] == ["train", "backward", "optimizer"]


def test_a_gradient_tape_in_a_function_is_a_training_without_a_loop() -> None:
    training = only(
        "@tf.function\ndef train_step(x, y):\n    with tf.GradientTape() as tape:\n        out = model(x)\n"
        "        loss = loss_fn(y, out)\n    g = tape.gradient(loss, v)\n    opt.apply_gradients(zip(g, v))\n"
    )
    assert training.style is TrainingStyle.TAPE
    assert (training.loop, getattr(training.node, "name", "")) == (None, "train_step")
    assert [(step.role, step.line) for step in training.steps] == [
        ("forward", 4), ("loss", 5), ("gradient", 6), ("apply_gradients", 7)
    ]  # fmt: skip


def test_a_loop_without_gradients_is_no_training() -> None:
    assert trainings(read("for x in xs:\n    opt.step()\n    model.eval()\n")) == []


def test_a_call_of_fit_has_the_loss_and_the_optimizer_of_its_compile() -> None:
    training = only("model.compile('adam', loss='mse')\nother.compile('sgd', 'mae')\nmodel.fit(x, y, epochs=3)\n")
    assert training.style is TrainingStyle.FIT
    assert [(step.role, ast.unparse(step.node), step.line) for step in training.steps[:2]] == [
        ("optimizer", "'adam'", 1),
        ("loss", "'mse'", 1),
    ]


def test_fit_of_something_else_is_no_training() -> None:
    assert trainings(read("scaler.fit(x)\n")) == []


def test_functions_defined_in_a_loop_keep_their_steps_to_themselves() -> None:
    training = only(
        "for x in xs:\n    def closure():\n        opt.zero_grad()\n    loss.backward()\n    opt.step(closure)\n"
    )
    assert [step.role for step in training.steps] == ["backward", "optimizer"]


def test_a_function_in_a_loop_starts_anew() -> None:
    training = only("for model in models:\n    def train():\n        for x in xs:\n            loss.backward()\n")
    assert (getattr(training.node, "lineno", 0), training.outer) == (3, ())
