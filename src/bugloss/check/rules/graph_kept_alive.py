"""graph-kept-alive."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.check.views.evaluation import grad_disabled
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import loss as loss_named
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import (
    LoopNode,
    calls_in,
    dotted,
    last_part,
    method_of,
    receiver_of,
    stored,
    targets_of,
    walk,
    walk_here,
)


class GraphKeptAlive(Rule):
    """Losses are accumulated together with their autograd graphs.

    ## What it finds
    A loss tensor that a loop adds to a running total or appends to a list without ``item()``, ``detach()`` or
    ``float()``, where ``backward()`` was already called on the loss or the code only evaluates, and the total is
    never differentiated.

    ## Why it hurts
    Each accumulated loss keeps its graph alive, in evaluation with all activations. Memory grows with every batch
    until it runs out.

    ## Example
    ```python
    for x, y in loader:
        loss = criterion(model(x), y)
        total += loss
    ```

    ## Use instead
    ```python
    for x, y in loader:
        loss = criterion(model(x), y)
        total += loss.item()
    ```

    ## Known problems
    Losses that other functions return are not followed.

    ## Fix safety
    Suggested: ``item()`` synchronises with the device; ``detach()`` does not.

    ## References
    PyTorch documentation, FAQ: My model reports out of memory (Don't accumulate history across your training loop);
    FFDNet_pytorch issue 4.
    """

    name = "graph-kept-alive"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.PERFORMANCE
    groups = ("loop", "performance")
    words = ("loss",)
    faulty = (
        """\
import torch
import torch.nn.functional as F

def train(model, loader, optimizer):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss
    return total / len(loader)
""",
        """\
import torch

def validate(model, loader, criterion):
    model.eval()
    losses = []
    for x, y in loader:
        loss = criterion(model(x), y)
        losses.append(loss)
    return sum(losses)
""",
    )
    clean = (
        """\
import torch

def train(model, sequence, criterion, optimizer):
    optimizer.zero_grad()
    total = 0.0
    for x, y in sequence:
        loss = criterion(model(x), y)
        total += loss
    total.backward()
    optimizer.step()
""",
        """\
import torch

def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            loss = criterion(model(x), y)
            total += loss
    return total
""",
        """\
import torch

def train(model, loader, criterion, optimizer):
    losses = []
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        losses.append(loss.cpu().data.numpy())
    return losses
""",
        """\
import torch

def consistency(model, pieces, criterion):
    losses = []
    for piece in pieces:
        loss = criterion(model(piece), piece)
        losses.append(loss)
    return sum(losses)
""",
        """\
import torch

def train(model, loader, criterion, optimizer):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        loss = loss.item()
        total += loss
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
import torch.nn.functional as F

def train(model, loader, optimizer):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        seen: set[tuple[ast.AST, str]] = set()
        for node in (*program.nodes[ast.AugAssign], *program.called("append")):
            collected = _collected(node)
            loop = program.enclosing(node, ast.For, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)
            if collected is None or not isinstance(loop, (ast.For, ast.While)) or (loop, collected[0]) in seen:
                continue
            collection, loss = collected
            seen.add((loop, collection))  # one finding per collection; the loop is walked for each
            if _keeps_a_graph(program, loop, loss, collection, node):
                message = f"{collection} keeps the graph of every {loss.id}, so memory grows: use {loss.id}.item()"
                fix = replace_node(program, loss, f"{loss.id}.item()", "use item()")
                yield self.finding(program, loss, message, fix=fix)


def _collected(node: ast.AST) -> tuple[str, ast.Name] | None:
    """The collection and the loss in ``total += loss`` (perhaps times a number) and ``losses.append(loss)``."""
    value: ast.expr | None = None
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        collection, value = dotted(node.target), node.value
        while isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Mult, ast.Div)):
            value = value.left
    elif isinstance(node, ast.Call) and method_of(node) == "append" and len(node.args) == 1:
        collection, value = dotted(receiver_of(node)), node.args[0]
    if isinstance(value, ast.Name) and "loss" in value.id.lower() and collection:
        return collection, value
    return None


def _keeps_a_graph(program: Program, loop: LoopNode, loss: ast.Name, collection: str, node: ast.AST) -> bool:
    if grad_disabled(program, loss) or (isinstance(node, ast.AugAssign) and _restarts(loop, collection)):
        return False  # a sum that restarts in every iteration is not a collection
    values = _assigned(loop, loss.id)
    passes = calls_in(loop, "backward")
    if any(loss.id in {dotted(part) for part in (receiver_of(call), *call.args)} for call in passes):
        return bool(values) and not any(_is_cut(value) for value in values)
    scope = scope_of(program, loop)
    body = scope.body if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)) else []
    methods = {method_of(call) for call in walk_here(body) if isinstance(call, ast.Call)}
    evaluates = "eval" in methods and not methods & {"backward", "grad"}
    return evaluates and bool(values) and all(_calls_a_loss(program, value) for value in values)


def _restarts(loop: LoopNode, collection: str) -> bool:
    assigned = [node for node in walk_here(loop.body) if isinstance(node, ast.Assign)]
    return any(dotted(target) == collection for node in assigned for target in node.targets)


def _assigned(loop: LoopNode, name: str) -> list[ast.expr | None]:
    """What the loop gives the name; None for anything but a plain assignment."""
    values: list[ast.expr | None] = []
    for node in walk_here(loop.body):
        targets = [node.target] if isinstance(node, ast.For) else targets_of(node)
        if any(name in stored(target) for target in targets):
            values.append(node.value if isinstance(node, ast.Assign) and dotted(node.targets[0]) else None)
    return values


def _is_cut(value: ast.expr | None) -> bool:
    """Whether the value is a plain number or a tensor without graph, or might be."""
    if isinstance(value, ast.Attribute):
        return value.attr == "data"
    methods = {method_of(node) for node in walk(value)} if value is not None else {"item"}
    return bool(methods & {"item", "float", "detach", "numpy", "tolist", "cpu"})


def _calls_a_loss(program: Program, value: ast.expr | None) -> bool:
    if not isinstance(value, ast.Call):
        return False
    qualified = program.names.qualified(value.func) or ""
    if qualified.startswith("torch.nn.functional."):
        return loss_named(qualified, "torch") is not None
    name = last_part(value.func).lower()
    return not qualified and ("criterion" in name or "loss_f" in name or name in {"loss_func", "criterion"})
