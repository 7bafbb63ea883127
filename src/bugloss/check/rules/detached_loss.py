"""detached-loss."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.evaluation import grad_disabled, network_names
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, last_part, receiver_of, walk
from bugloss.source.training.gradient_steps import gradient_steps
from bugloss.source.training.loss_calls import last_assigned


class DetachedLoss(Rule):
    """``backward()`` is called on a loss that is detached from the graph.

    ## What it finds
    ``backward()`` on a loss that comes from ``item()``, ``detach()``, ``.data``, ``numpy()``, ``torch.tensor(loss)``
    or under ``no_grad``, or is computed from predictions that are detached in one of these ways (``argmax``
    included).

    ## Why it hurts
    The program stops with 'element 0 of tensors does not require grad'. Where ``requires_grad`` is set to silence
    that error, the program runs and no weight ever changes.

    ## Example
    ```python
    loss = torch.tensor(criterion(model(x), y), requires_grad=True)
    loss.backward()
    ```

    ## Use instead
    ```python
    loss = criterion(model(x), y)
    loss.backward()
    ```

    ## Known problems
    Only the last assignment before the call in the same block is checked.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch documentation, torch.tensor (reads out the data and constructs a leaf); ruff issue 12349.
    """

    name = "detached-loss"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("backward",)
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y).item()
        loss.backward()
        optimizer.step()
""",
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss = torch.tensor(loss, requires_grad=True)
        loss.backward()
        optimizer.step()
""",
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.no_grad():
            loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
""",
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x).argmax(dim=1).float()
        loss = criterion(output, y)
        loss.requires_grad = True
        loss.backward()
        optimizer.step()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.tensor(0.0)
        loss = loss + criterion(model(x), y)
        loss.backward()
        optimizer.step()
        loss = loss.item()
""",
        """\
import torch

def train_gan(generator, critic, noise, criterion, ones, optimizer):
    for z in noise:
        optimizer.zero_grad()
        fake = generator(z).detach()
        loss = criterion(critic(fake), ones)
        loss.backward()
        optimizer.step()
""",
        """\
import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * x
y.backward()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for step in gradient_steps(program):
            if step.role != "backward" or grad_disabled(program, step.call):
                continue
            receiver = receiver_of(step.call)
            reason = _cut(program, receiver) if receiver is not None and not isinstance(receiver, ast.Name) else None
            if reason is None and isinstance(receiver, ast.Name):
                reason = _cut_name(program, receiver, step.statement)
            if reason:
                name = receiver.id if isinstance(receiver, ast.Name) else "this value"
                message = f"{name}.backward() computes no gradients: {reason} detaches it from the graph"
                yield self.finding(program, step.call, message.replace("this value.", "", 1))


_CUTS = {"item", "detach", "numpy", "tolist", "argmax", "argmin", "round"}
_REBUILDS = {"torch.tensor", "torch.Tensor", "torch.FloatTensor", "torch.as_tensor", "torch.autograd.Variable"}


def _cut_name(program: Program, name: ast.Name, statement: ast.stmt) -> str | None:
    assigned = last_assigned(program, name.id, statement)
    if assigned is None:
        return None
    if grad_disabled(program, assigned) and not _same_block(program, assigned, statement):
        return "no_grad()"
    return _cut(program, assigned.value) or _cut_prediction(program, assigned.value, assigned)


def _same_block(program: Program, first: ast.stmt, second: ast.stmt) -> bool:
    return program.parents.get(first) is program.parents.get(second)


def _cut(program: Program, value: ast.expr) -> str | None:
    """What at the end of an expression takes the graph away."""
    if isinstance(value, ast.Attribute) and value.attr == "data":
        return ".data"
    if not isinstance(value, ast.Call):
        return None
    qualified = program.names.qualified(value.func)
    if qualified in _REBUILDS and value.args and "loss" in ast.unparse(value.args[0]).lower():
        return f"{qualified}()"
    if qualified is None and isinstance(value.func, ast.Attribute):
        if value.func.attr in _CUTS and not (value.func.attr == "round" and value.args):
            return f"{value.func.attr}()"
        if value.func.attr in {"float", "long", "view", "squeeze", "unsqueeze", "to", "cpu", "requires_grad_", "mean"}:
            return _cut(program, value.func.value)
    return None


def _cut_prediction(program: Program, loss: ast.expr, assigned: ast.stmt) -> str | None:
    """What cuts the first argument of a loss, where the second one comes from the data."""
    if not isinstance(loss, ast.Call) or len(loss.args) != 2 or not isinstance(loss.args[1], ast.Name):
        return None
    name = last_part(loss.func).lower()
    if not ("criterion" in name or "loss" in name or "entropy" in name):
        return None
    if last_assigned(program, loss.args[1].id, assigned) is not None:
        return None
    first: ast.expr | None = loss.args[0]
    if isinstance(first, ast.Name):
        made = last_assigned(program, first.id, assigned)
        first = made.value if made is not None else None
    networks = network_names(program)
    from_network = first is not None and any(
        isinstance(node, ast.Call) and dotted(node.func) in networks for node in walk(first)
    )
    return _cut(program, first) if first is not None and from_network else None
