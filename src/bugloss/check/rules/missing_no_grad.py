"""missing-no-grad."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, insert_line
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import around, scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import FunctionNode, dotted, last_part, walk_here
from bugloss.source.training.gradient_steps import GradientStep, gradient_steps


class MissingNoGrad(Rule):
    """Evaluation builds an autograd graph that is never used.

    ## What it finds
    A function that puts a network into evaluation mode and runs it in a loop without ``torch.no_grad()`` or
    ``torch.inference_mode()``, and computes no gradients.

    ## Why it hurts
    Every forward pass keeps its activations for a backward pass that never comes: more memory, less speed, and an
    out-of-memory error where results are collected.

    ## Example
    ```python
    model.eval()
    for x, y in loader:
        total += criterion(model(x), y).item()
    ```

    ## Use instead
    ```python
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            total += criterion(model(x), y).item()
    ```

    ## Known problems
    Functions that another file calls under ``no_grad`` are reported too.

    ## Fix safety
    Suggested: a decorator is added to the whole function.

    ## References
    PyTorch documentation, Autograd mechanics: Locally disabling gradient computation.
    """

    name = "missing-no-grad"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.PERFORMANCE
    groups = ("loop", "performance")
    words = (".eval()",)
    faulty = (
        """\
import torch

def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()
    return total
""",
    )
    clean = (
        """\
import torch

def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += criterion(model(x), y).item()
    return total
""",
        """\
import torch

def attack(model, loader, criterion):
    model.eval()
    for x, y in loader:
        x.requires_grad = True
        criterion(model(x), y).backward()
        yield x + 0.1 * x.grad.sign()
""",
        """\
import torch

def evaluate(model, loader):
    model.eval()
    return [model(x).argmax(1) for x in loader]

def main(model, loader):
    with torch.no_grad():
        print(evaluate(model, loader))
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

@torch.no_grad()
def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()
    return total
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        steps = gradient_steps(program)
        for step in steps:
            scope = scope_of(program, step.call)
            if step.role != "eval" or step.call.args or not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            call = _run_in_loop(scope, step)
            if call is not None and not _needs_gradients(program, scope):
                message = f"{step.receiver} runs in {scope.name} without torch.no_grad() and keeps its activations"
                yield self.finding(program, call, message, fix=_fix(program, scope))


_GRADIENT_WORDS = ("no_grad", "inference_mode", "grad", "backward")


def _run_in_loop(scope: FunctionNode, step: GradientStep) -> ast.Call | None:
    """A call of the network in a loop that follows the switch."""
    for loop in walk_here(scope.body):
        if isinstance(loop, (ast.For, ast.While)) and loop.lineno > step.call.lineno:
            for call in walk_here(loop.body):
                if isinstance(call, ast.Call) and dotted(call.func) == step.receiver:
                    return call
    return None


def _needs_gradients(program: Program, scope: FunctionNode) -> bool:
    """Whether the function says a word about gradients, or anything that uses it switches them off."""
    for node in walk_here((*scope.body, *scope.decorator_list)):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if any(word in name for word in _GRADIENT_WORDS):
            return True
    return bool(program.remembered(_switching) & around(program, scope))


def _switching(program: Program) -> set[ast.AST]:
    """Scopes that switch gradients off and on."""
    nodes = (*program.nodes[ast.Attribute], *program.nodes[ast.Name])
    switches = {"no_grad", "inference_mode", "set_grad_enabled"}
    return {scope_of(program, node) for node in nodes if last_part(node) in switches}


def _fix(program: Program, scope: FunctionNode) -> Fix | None:
    if program.names.imported.get("torch") != "torch":
        return None
    return insert_line(program, scope, "@torch.no_grad()", "disable gradients in this function")
