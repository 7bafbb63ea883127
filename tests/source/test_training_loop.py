"""What a training loop does, in the order it is written."""

from __future__ import annotations

import ast

from bugloss.source.text.names import Names
from bugloss.source.text.tree import SyntaxTree
from bugloss.source.training.training_loop import TrainingLoop, find_training_loops


def loops(text: str) -> list[TrainingLoop]:
    tree = ast.parse(text)
    return find_training_loops(tree, Names(SyntaxTree(tree)))


def only(text: str) -> TrainingLoop:
    (loop,) = loops(text)
    return loop


def test_the_steps_come_in_source_order_with_their_receivers() -> None:
    loop = only(
        "for x, y in loader:\n    opt.zero_grad()\n    scaler.scale(loss).backward()\n    scaler.unscale_(opt)\n"
        "    nn.utils.clip_grad_norm_(p, 1)\n    scaler.step(opt)\n    scaler.update()\n"
    )
    assert [step.kind for step in loop.steps] == ["zero_grad", "scale", "backward", "unscale", "clip", "step", "update"]
    assert [step.receiver for step in loop.steps if step.kind in {"zero_grad", "step"}] == ["opt", "scaler"]


def test_branches_and_inner_loops_are_counted() -> None:
    loop = only(
        "for x in loader:\n    loss.backward()\n    if a:\n        if b:\n            opt.step()\n        else:\n"
        "            opt.zero_grad()\n    for p in ps:\n        p.zero_grad()\n"
    )
    assert [(s.kind, s.branches, s.depth) for s in loop.steps] == [
        ("backward", 0, 0), ("step", 2, 0), ("zero_grad", 2, 0), ("zero_grad", 0, 1)
    ]  # fmt: skip


def test_the_innermost_loop_with_a_backward_is_the_training_loop() -> None:
    loop = only("def train():\n    for epoch in range(3):\n        for x in loader:\n            loss.backward()\n")
    assert loop.node.lineno == 3
    assert [outer.lineno for outer in loop.outer] == [2]
    assert isinstance(loop.function, ast.FunctionDef)
    assert loop.function.name == "train"


def test_a_loop_around_a_training_loop_that_also_goes_backward_counts_too() -> None:
    found = loops("for e in es:\n    a.backward()\n    for x in xs:\n        b.backward()\n")
    assert [loop.node.lineno for loop in found] == [1, 3]


def test_steps_in_with_and_try_blocks_and_while_loops_are_seen() -> None:
    loop = only(
        "while True:\n    with autocast(), net.train():\n        loss = f(x)\n    try:\n        loss.backward()\n"
        "    finally:\n        opt.step()\n"
    )
    assert [step.kind for step in loop.steps] == ["train", "backward", "step"]


def test_a_tape_gradient_makes_a_training_loop_and_a_plain_loop_none() -> None:
    assert only("for x in xs:\n    g = tape.gradient(l, v)\n    opt.apply_gradients(g)\n").first("step") is not None
    assert loops("for x in xs:\n    opt.step()\n    model.eval()\n") == []


def test_functions_defined_in_a_loop_keep_their_steps_to_themselves() -> None:
    loop = only(
        "for x in xs:\n    def closure():\n        opt.zero_grad()\n    loss.backward()\n    opt.step(closure)\n"
    )
    assert [step.kind for step in loop.steps] == ["backward", "step"]


def test_a_function_in_a_loop_starts_anew() -> None:
    loop = only("for model in models:\n    def train():\n        for x in xs:\n            loss.backward()\n")
    assert (loop.node.lineno, loop.outer) == (3, [])


def test_the_questions_of_rules() -> None:
    loop = only("for x in xs:\n    a.backward()\n    b.backward()\n    opt.step()\n")
    first = loop.first("backward")
    assert first is not None
    assert first.receiver == "a"
    assert len(loop.of("backward", "step")) == 3
    assert loop.first("eval") is None
