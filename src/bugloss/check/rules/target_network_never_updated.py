"""target-network-never-updated."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.training_loops import loops_around, trains
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.networks.torch_classes import made_networks
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, last_part, method_of, targets_of

_HARMLESS = {"eval", "train", "to", "cuda", "summary", "trainable", "requires_grad_", "compile"}


class TargetNetworkNeverUpdated(Rule):
    """A target network keeps its first weights.

    ## What it finds
    A network whose name says target, copied from another one or made of the same class, that is used in training while
    nothing in a loop or another function ever gives it new weights.

    ## Why it hurts
    The targets of learning are computed with random or first weights for ever, so the values cannot improve.

    ## Example
    ```python
    target_net = copy.deepcopy(policy_net)
    for step in range(steps):
        target = reward + gamma * target_net(state).max(1)[0]
        train(policy_net, target)
    ```

    ## Use instead
    ```python
    for step in range(steps):
        target = reward + gamma * target_net(state).max(1)[0]
        train(policy_net, target)
        if step % 100 == 0:
            target_net.load_state_dict(policy_net.state_dict())
    ```

    ## Known problems
    A network that is passed to any function may be updated there and is not reported.

    ## Fix safety
    No fix is offered: how often to update is the author's choice.

    ## References
    Mnih et al., Human-level control through deep reinforcement learning (2015).
    """

    name = "target-network-never-updated"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("loop",)
    words = ("target",)
    faulty = (
        """\
import copy
import torch
from torch import nn

policy = nn.Linear(4, 2)
target_net = copy.deepcopy(policy)
optimizer = torch.optim.Adam(policy.parameters(), lr=0.001)
for state, after, reward in memory:
    wanted = reward + 0.9 * target_net(after).max(1)[0].detach()
    optimizer.zero_grad()
    criterion(policy(state).max(1)[0], wanted).backward()
    optimizer.step()
""",
    )
    clean = (
        """\
import copy
import torch
from torch import nn

policy = nn.Linear(4, 2)
target_net = copy.deepcopy(policy)
optimizer = torch.optim.Adam(policy.parameters(), lr=0.001)
for step, (state, after, reward) in enumerate(memory):
    wanted = reward + 0.9 * target_net(after).max(1)[0].detach()
    optimizer.zero_grad()
    criterion(policy(state).max(1)[0], wanted).backward()
    optimizer.step()
    if step % 100 == 0:
        target_net.load_state_dict(policy.state_dict())
""",
        """\
import copy
import torch
from torch import nn

def update(target, source):
    for one, other in zip(target.parameters(), source.parameters()):
        one.data.mul_(0.99).add_(0.01 * other.data)

class Agent:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.target_net = copy.deepcopy(self.net)

    def learn(self, after, loss_of):
        loss_of(self.target_net(after)).backward()
        update(self.target_net, self.net)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.Assign]:
            assert isinstance(node, ast.Assign)
            name = dotted(targets_of(node)[0])
            short = name.rsplit(".", 1)[-1]
            if "target" not in short.lower() or not _is_network(program, name, node.value):
                continue
            uses = [
                use
                for use in (*program.nodes[ast.Name], *program.nodes[ast.Attribute])
                if isinstance(use, ast.Name | ast.Attribute)
                and isinstance(use.ctx, ast.Load)
                and last_part(use) == short
            ]
            called = [use for use in uses if _is_called(program, use)]
            trained = trains(program, program.tree.body) or bool(program.called("backward", "apply_gradients"))
            if called and trained and not any(_may_update(program, use, node) for use in uses):
                message = f"{name} never gets new weights: copy those of the trained network to it now and then"
                yield self.finding(program, node, message)


def _is_network(program: Program, name: str, value: ast.expr) -> bool:
    made = method_of(value) in {"deepcopy", "clone_model"}
    return made or name in made_networks(program)


def _is_called(program: Program, use: ast.expr) -> bool:
    parent = program.parents.get(use)
    return (isinstance(parent, ast.Call) and parent.func is use) or (
        isinstance(parent, ast.Attribute) and parent.attr in {"predict", "forward"}
    )


def _may_update(program: Program, use: ast.expr, made: ast.Assign) -> bool:
    """Whether a use beyond the set-up may give new weights: anything but a call or a harmless method."""
    parent = program.parents.get(use)
    if _is_called(program, use) or (isinstance(parent, ast.Attribute) and parent.attr in _HARMLESS):
        return False
    scope = scope_of(program, use)
    return bool(loops_around(program, use)) or scope is not scope_of(program, made)
