"""bootstrap-target-with-gradient."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import origin_nodes
from bugloss.check.views.evaluation import grad_disabled
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import spellings
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, method_of, targets_of, walk, written


class BootstrapTargetWithGradient(Rule):
    """Gradients flow into the target of a value network.

    ## What it finds
    ``reward + gamma * net(next_state)…`` that is compared with the network's own values in a loss, without
    ``detach`` or ``no_grad``.

    ## Why it hurts
    The target is to be a constant of the step. With its gradient the network also lowers the next state's value to
    fit, which makes learning slow or unstable.

    ## Example
    ```python
    target = reward + gamma * net(after).max(1).values
    loss = F.mse_loss(net(state).gather(1, action).squeeze(1), target)
    ```

    ## Use instead
    ```python
    with torch.no_grad():
        target = reward + gamma * net(after).max(1).values
    loss = F.mse_loss(net(state).gather(1, action).squeeze(1), target)
    ```

    ## Known problems
    Residual-gradient methods do so on purpose. A separate target network has no optimizer and is not reported.

    ## Fix safety
    Suggested: the target is detached.

    ## References
    Sutton and Barto, Reinforcement Learning, section 9.3 (semi-gradient methods).
    """

    name = "bootstrap-target-with-gradient"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("loss",)
    words = ("gamma", "GAMMA", "discount")
    faulty = (
        """\
import torch
import torch.nn.functional as F

def learn(net, state, action, reward, after, done, optimizer, gamma=0.99):
    target = reward + gamma * net(after).max(1).values * (1 - done)
    value = net(state).gather(1, action).squeeze(1)
    loss = F.mse_loss(value, target)
    loss.backward()
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

def learn(net, target_net, state, action, reward, after, done, optimizer, gamma=0.99):
    with torch.no_grad():
        target = reward + gamma * net(after).max(1).values * (1 - done)
    slow = reward + gamma * target_net(after).max(1).values * (1 - done)
    cut = reward + gamma * net(after).max(1).values.detach()
    late = reward + gamma * net(after).max(1).values
    value = net(state).gather(1, action).squeeze(1)
    loss = F.mse_loss(value, target) + F.mse_loss(value, slow)
    loss = loss + F.mse_loss(value, cut) + F.mse_loss(value, late.detach())
    loss.backward()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.names.roots:
            return
        for node in program.nodes[ast.Assign]:
            if not isinstance(node, ast.Assign) or not _is_target(node.value) or grad_disabled(program, node):
                continue
            name = written(targets_of(node)[0])
            parts = origin_nodes(program, node.value)
            if any(method_of(part) in {"detach", "item", "numpy", "tolist"} for part in parts):
                continue
            if any(grad_disabled(program, part) for part in parts if isinstance(part, ast.Call)):
                continue
            nets = {written(part.func) for part in parts if isinstance(part, ast.Call) and _is_network(part)}
            losses = [call for call in program.called(*_LOSSES) if name in {written(one) for one in call.args}]
            again = {
                written(part.func)
                for part in program.nodes[ast.Call]
                if isinstance(part, ast.Call) and part not in parts
            }
            if nets & again and losses:
                text = f"({program.source.segment(node.value)}).detach()"
                message = (
                    f"gradients flow through {name} into the next state's value: detach it or compute it under no_grad"
                )
                yield self.finding(program, node, message, fix=suggested(replace_node(program, node.value, text)))


_LOSSES = (*spellings(lambda row: row.regresses), "criterion", "loss_fn", "loss_function")
_DISCOUNT = re.compile(r"(\w+_)?(gamma|discount)(_\w+)?$", re.IGNORECASE)
_NETWORK = re.compile(r"(\w*_)?(net|network|model|critic|policy|q|qnet|value|online)(_net)?$", re.IGNORECASE)


def _is_target(value: ast.expr) -> bool:
    """``reward + gamma * …``."""
    added = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add)
    names = [last_part(part) for part in walk(value) if isinstance(part, ast.Name | ast.Attribute)]
    return added and any(_DISCOUNT.match(name) for name in names) and any("rew" in name.lower() for name in names)


def _is_network(call: ast.Call) -> bool:
    name = last_part(call.func)
    return bool(_NETWORK.match(name)) and not re.search("target|slow|old|frozen", name, re.IGNORECASE)
