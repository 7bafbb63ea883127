"""detached-from-optimizer."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.evaluation import grad_disabled
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import unwrap_call
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, children, dotted, method_of, receiver_of
from bugloss.source.training.gradient_steps import GradientStep, gradient_blocks, made_by
from bugloss.source.training.loss_calls import last_assigned

_DEEPEST = 6  # assignments to go back


class DetachedFromOptimizer(Rule):
    """The loss that an optimizer steps on does not reach its network.

    ## What it finds
    ``optimizer.step()`` after the backward pass of a loss whose only way to the optimizer's network goes through
    ``detach()``, ``.data`` or ``no_grad``, for example a generator's loss that was computed from a detached fake.

    ## Why it hurts
    The network gets no gradient, so the step changes nothing (or repeats old gradients), while the other network
    learns.

    ## Example
    ```python
    fake = generator(noise)
    g_loss = criterion(discriminator(fake.detach()), ones)
    g_loss.backward()
    optimizer_g.step()
    ```

    ## Use instead
    ```python
    fake = generator(noise)
    g_loss = criterion(discriminator(fake), ones)
    g_loss.backward()
    optimizer_g.step()
    ```

    ## Known problems
    Values from other functions or blocks are not followed.

    ## Fix safety
    Suggested: the call of ``detach()`` is removed.

    ## References
    PyTorch DCGAN tutorial.
    """

    name = "detached-from-optimizer"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("loop",)
    words = ("detach", "no_grad", ".data")
    faulty = (
        """\
import torch
from torch import nn

generator, critic = nn.Linear(4, 8), None
critic = nn.Linear(8, 1)
generator = nn.Linear(4, 8)
optimizer_g = torch.optim.Adam(generator.parameters(), lr=0.001)
for noise, ones in loader:
    fake = generator(noise)
    g_loss = criterion(critic(fake.detach()), ones)
    optimizer_g.zero_grad()
    g_loss.backward()
    optimizer_g.step()
""",
        """\
import torch
from torch import nn

encoder = nn.Linear(8, 8)
head = nn.Linear(8, 1)
optimizer = torch.optim.Adam(encoder.parameters(), lr=0.001)
for x, y in loader:
    optimizer.zero_grad()
    with torch.no_grad():
        features = encoder(x)
    loss = criterion(head(features), y)
    loss.backward()
    optimizer.step()
""",
    )
    clean = (
        """\
import torch
from torch import nn

critic = nn.Linear(8, 1)
generator = nn.Linear(4, 8)
optimizer_g = torch.optim.Adam(generator.parameters(), lr=0.001)
optimizer_d = torch.optim.Adam(critic.parameters(), lr=0.001)
for noise, ones, zeros in loader:
    fake = generator(noise)
    d_loss = criterion(critic(fake.detach()), zeros)
    optimizer_d.zero_grad()
    d_loss.backward()
    optimizer_d.step()
    g_loss = criterion(critic(fake), ones)
    optimizer_g.zero_grad()
    g_loss.backward()
    optimizer_g.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        trained = {
            name: {dotted(receiver_of(inner)) for inner in calls_in(call, "parameters")}
            for _, name, call in made_by(program, "optimizer")
        }
        for block in gradient_blocks(program):
            steps = block.of("backward", "optimizer")
            for before, step in pairwise(steps):
                networks = trained.get(step.receiver, set()) if step.role == "optimizer" else set()
                if before.role == "backward" and networks:
                    yield from self._judge(program, before, step, networks)

    def _judge(
        self, program: Program, backward: GradientStep, step: GradientStep, networks: set[str]
    ) -> Iterator[Finding]:
        reached: dict[str, ast.AST | None] = {}
        loss = receiver_of(backward.call)
        if loss is not None:
            _follow(program, loss, backward.statement, None, reached, 0)
        cuts = [reached[name] for name in networks if reached.get(name) is not None]
        if cuts and not any(name in reached and reached[name] is None for name in networks):
            cut = cuts[0]
            name = next(name for name in sorted(networks) if reached.get(name) is cut)
            way = (
                "detach()" if isinstance(cut, ast.Call) else ".data" if isinstance(cut, ast.Attribute) else "no_grad()"
            )
            message = f"{step.receiver} trains {name}, but {way} cuts it off from the loss: it gets no gradient"
            edit = unwrap_call(program, cut) if isinstance(cut, ast.Call) else None
            yield self.finding(program, cut or step.call, message, fix=suggested(edit))


def _follow(
    program: Program,
    node: ast.AST,
    place: ast.stmt,
    cut: ast.AST | None,
    reached: dict[str, ast.AST | None],
    depth: int,
) -> None:
    """Which calls an expression is made of, each with what cuts it off from the gradient, if anything."""
    if (isinstance(node, ast.Call) and method_of(node) == "detach" and isinstance(node.func, ast.Attribute)) or (
        isinstance(node, ast.Attribute) and node.attr == "data"
    ):
        cut = cut or node
    if isinstance(node, ast.Call) and dotted(node.func) and not (dotted(node.func) in reached and cut is not None):
        reached[dotted(node.func)] = cut
    if isinstance(node, ast.Name) and depth < _DEEPEST:
        assigned = last_assigned(program, node.id, place)
        if assigned is not None:
            inner = cut or (assigned if grad_disabled(program, assigned) else None)
            _follow(program, assigned.value, assigned, inner, reached, depth + 1)
        return
    for child in children(node):
        _follow(program, child, place, cut, reached, depth)
