"""The steps of a training loop: whose ``step`` it is, and in which block it stands."""

from __future__ import annotations

from bugloss.source.program import Program
from bugloss.source.text.source_file import SourceFile, parse_source
from bugloss.source.training.gradient_steps import gradient_blocks, gradient_steps, made_by, roles


def program(text: str) -> Program:
    source = parse_source(text, "snippet.py")
    assert isinstance(source, SourceFile)
    return Program(source)


LOOP = """\
import torch
from torch.optim import lr_scheduler

updater = torch.optim.SGD(weights, lr=0.1)
plan = lr_scheduler.StepLR(updater, 3)
for x in data:
    state = env.step(x)
    with torch.autocast("cuda"):
        loss = model(x)
    loss.backward()
    if x:
        updater.step()
    plan.step()
    train(model)
"""


def test_a_step_belongs_to_what_was_assigned_to_the_name() -> None:
    found = program(LOOP)
    assert roles(found) == {"updater": "optimizer", "plan": "scheduler"}
    assert [(step.role, step.receiver) for step in gradient_steps(found)] == [
        ("other", "env"),
        ("backward", "loss"),
        ("optimizer", "updater"),
        ("scheduler", "plan"),
    ]


def test_makers_are_found_with_the_names_they_are_assigned_to() -> None:
    assert [target for _, target, _ in made_by(program(LOOP), "optimizer")] == ["updater"]


def test_steps_in_a_branch_are_nested_and_steps_in_a_with_block_are_not() -> None:
    text = """\
import torch
for x in data:
    with torch.no_grad():
        opt.step()
    if x:
        opt.zero_grad()
"""
    loop = next(block for block in gradient_blocks(program(text)) if type(block.owner).__name__ == "For")
    assert [step.role for step in loop.steps] == ["optimizer"]
    assert [step.role for step in loop.nested] == ["zero_grad"]
    assert [step.role for step in loop.anywhere("zero_grad", "optimizer")] == ["optimizer", "zero_grad"]


def test_two_branches_of_one_test_are_two_blocks() -> None:
    text = "import torch\nif x:\n    loss.backward()\nelse:\n    opt.step()\n"
    tests = [block for block in gradient_blocks(program(text)) if type(block.owner).__name__ == "If"]
    assert [[step.role for step in block.steps] for block in tests] == [["backward"], ["optimizer"]]


def test_a_function_that_is_called_train_is_no_switch_of_mode() -> None:
    assert gradient_steps(program("import torch\ntrain(model)\nmodel.train()\n"))[0].receiver == "model"
