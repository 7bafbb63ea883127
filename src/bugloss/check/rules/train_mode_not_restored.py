"""train-mode-not-restored."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, insert_line
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import reachable
from bugloss.source.networks.torch_classes import mode_dependent
from bugloss.source.program import Program
from bugloss.source.text.syntax import LoopNode, calls_in, dotted, last_part, loads, method_of, receiver_of, walk_here
from bugloss.source.training.gradient_steps import gradient_steps, made_by


class TrainModeNotRestored(Rule):
    """A training loop switches to evaluation mode and never back to training mode.

    ## What it finds
    A loop that both trains and, directly or in a function of the file, calls ``eval()`` on the trained network,
    while nothing in the loop calls ``train()``.

    ## Why it hurts
    From the second iteration on the network is trained in evaluation mode: dropout is off, and batch normalisation
    uses the running statistics of the first iteration.

    ## Example
    ```python
    model.train()
    for epoch in range(epochs):
        train_one_epoch(model)
        model.eval()
        validate(model)
    ```

    ## Use instead
    ```python
    for epoch in range(epochs):
        model.train()
        train_one_epoch(model)
        model.eval()
        validate(model)
    ```

    ## Known problems
    A ``train()`` call in another file is not found. Networks without layers that depend on the mode are not reported.

    ## Fix safety
    Suggested: ``train()`` is inserted at the start of the iteration.

    ## References
    PyTorch documentation, Module.train.
    """

    name = "train-mode-not-restored"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = (".eval()",)
    faulty = (
        """\
import torch

def validate(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(model(x).sum().item() for x in loader)

def main(model, train_loader, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for epoch in range(10):
        for x, y in train_loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        print(validate(model, loader))
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()

def main(model, train_loader, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        train(model, train_loader, criterion, optimizer)
        model.eval()
        with torch.no_grad():
            print(sum(model(x).sum().item() for x in loader))
""",
        """\
import torch

def distil(teacher, student, loader, criterion):
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for x in loader:
        teacher.eval()
        with torch.no_grad():
            wanted = teacher(x)
        optimizer.zero_grad()
        criterion(student(x), wanted).backward()
        optimizer.step()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def validate(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(model(x).sum().item() for x in loader)

def main(model, train_loader, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for epoch in range(10):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        print(validate(model, loader))
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        evaluations = [step for step in gradient_steps(program) if step.role == "eval" and not step.call.args]
        trained = _trained(program) if evaluations else set()
        for loop in (*program.nodes[ast.For], *program.nodes[ast.While]):
            assert isinstance(loop, (ast.For, ast.While))
            step = _left_in_evaluation(program, loop, trained) if trained and _is_outermost(program, loop) else None
            if step is not None and mode_dependent(program, dotted(receiver_of(step))) is not False:
                name = dotted(receiver_of(step))
                message = f"{name} stays in evaluation mode after the first iteration: call train() in the loop"
                fix = insert_line(
                    program, loop.body[0], f"{name}.train()", "call train() at the start of each iteration"
                )
                here = any(node is step for node in walk_here(loop))
                yield self.finding(program, step, message, fix=fix if here or name in loads(loop) else None)


def _is_outermost(program: Program, loop: ast.AST) -> bool:
    """Epochs: the loop that contains the others."""
    outer = program.enclosing(loop, ast.For, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)
    return not isinstance(outer, (ast.For, ast.While))


def _trained(program: Program) -> set[str]:
    """Names of networks whose parameters an optimizer of the file gets."""
    found = set()
    for _, _, call in made_by(program, "optimizer"):
        for inner in calls_in(call, "parameters"):
            found.add(last_part(receiver_of(inner)))
    return found


def _left_in_evaluation(program: Program, loop: LoopNode, trained: set[str]) -> ast.Call | None:
    """The call that puts a trained network into evaluation mode in a loop that trains it and never switches back."""
    nodes = reachable(program, loop.body)
    calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    methods = {method_of(call) for call in calls}
    if "train" in methods or not {"backward", "eval", "step"} <= methods:
        return None
    chosen = [call for call in calls if method_of(call) == "eval" and last_part(receiver_of(call)) in trained]
    return chosen[0] if chosen else None
