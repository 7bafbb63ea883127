"""optimizer-before-model-change."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import move_after
from bugloss.source.networks.torch_classes import is_parametric, torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, dotted, loads, method_of, receiver_of, targets_of, walk_here
from bugloss.source.training.gradient_steps import made_by


class OptimizerBeforeModelChange(Rule):
    """A network is changed after its parameters were passed to the optimizer.

    ## What it finds
    An optimizer created from a network's parameters, followed in the same block by a new layer assigned to that
    network, or by a new network under the same name.

    ## Why it hurts
    The optimizer still holds the old parameters. The new layer keeps its random weights for the whole run.

    ## Example
    ```python
    optimizer = SGD(model.parameters(), lr=0.1)
    model.fc = nn.Linear(512, 10)
    ```

    ## Use instead
    ```python
    model.fc = nn.Linear(512, 10)
    optimizer = SGD(model.parameters(), lr=0.1)
    ```

    ## Known problems
    Only blocks without branches are followed. Moving a network with ``to()`` keeps its parameters and is not
    reported.

    ## Fix safety
    No fix is offered: the right place depends on the code in between.

    ## References
    PyTorch documentation, torch.optim: Constructing it.
    """

    name = "optimizer-before-model-change"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("optimizer",)
    words = ("optim",)
    faulty = (
        """\
import torch
import torchvision
from torch import nn

model = torchvision.models.resnet18()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.fc = nn.Linear(512, 10)
loss = model(torch.zeros(1, 3, 64, 64)).sum()
loss.backward()
optimizer.step()
""",
    )
    clean = (
        """\
import torch
import torchvision
from torch import nn

model = torchvision.models.resnet18()
model.fc = nn.Linear(512, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model = model.to("cuda")
model = nn.DataParallel(model)
""",
        """\
import torch
import torchvision
from torch import nn

model = torchvision.models.resnet18()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.fc = nn.Linear(512, 10)
optimizer.add_param_group({"params": model.fc.parameters()})
model = torchvision.models.resnet34()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node, optimizer, call in made_by(program, "optimizer"):
            networks = {dotted(receiver_of(inner)) for inner in calls_in(call, "parameters")} - {""}
            rest = _after(program, node)
            if len(networks) != 1 or _renewed(rest, optimizer):
                continue
            network = networks.pop()
            for place, statement in enumerate(rest):
                changed = _replaced(program, statement, network)
                if changed and _is_used(rest[place + 1 :], optimizer):
                    message = f"{optimizer} was created before {changed} was replaced and does not train the new layer"
                    edit = move_after(program, node, statement)
                    yield self.finding(program, statement, message, fix=suggested(edit))


def _after(program: Program, node: ast.stmt) -> list[ast.stmt]:
    """The statements that follow in the same block."""
    body = getattr(program.parents.get(node), "body", [])
    return body[body.index(node) + 1 :] if node in body else []


def _renewed(rest: list[ast.stmt], optimizer: str) -> bool:
    """Whether the optimizer is created again, given new parameters, or never used here again."""
    used = False
    for node in walk_here(rest):
        if any(dotted(target) == optimizer for target in targets_of(node)) or method_of(node) == "add_param_group":
            return True
        used = used or dotted(node) == optimizer
    return not used


def _is_used(rest: list[ast.stmt], optimizer: str) -> bool:
    """Whether the optimizer is used again: a model that is only evaluated needs none."""
    return any(dotted(node) == optimizer for node in walk_here(rest))


def _replaced(program: Program, statement: ast.stmt, network: str) -> str | None:
    """What an assignment replaces: a layer of the network by a new one, or the network itself."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    target: ast.expr = statement.targets[0]
    while isinstance(target, ast.Subscript):
        target = target.value
    name, maker = dotted(target), statement.value.func
    qualified = program.names.qualified(maker) or ""
    short = qualified.rsplit(".", 1)[-1]
    fresh = dotted(maker) in torch_classes(program) or qualified.startswith("torchvision.models.")
    fresh = fresh or (qualified == f"torch.nn.{short}" and (is_parametric(short) or short == "Sequential"))
    if not fresh or any(network in loads(argument) for argument in statement.value.args):
        return None
    return name if name == network or name.startswith(f"{network}.") else None
