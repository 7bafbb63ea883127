"""mixed-inputs-plain-labels."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, walk, written


class MixedInputsPlainLabels(Rule):
    """Inputs are mixed, but their labels are not.

    ## What it finds
    ``lam * x + (1 - lam) * x[order]`` in a function or loop where the factor is used for nothing else: neither
    labels nor losses are mixed.

    ## Why it hurts
    A mixed image contains two classes. Trained with the label of one of them, the network learns noise.

    ## Example
    ```python
    x = lam * x + (1 - lam) * x[order]
    loss = criterion(model(x), y)
    ```

    ## Use instead
    ```python
    mixed = lam * x + (1 - lam) * x[order]
    output = model(mixed)
    loss = lam * criterion(output, y) + (1 - lam) * criterion(output, y[order])
    ```

    ## Known problems
    A factor that is returned to the caller may be used there; such functions are not reported.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    Zhang et al., mixup: Beyond Empirical Risk Minimization (2018).
    """

    name = "mixed-inputs-plain-labels"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data", "loss")
    words = ("1 -", "1.0 -", "1-")
    faulty = (
        """\
import numpy as np
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        lam = np.random.beta(0.4, 0.4)
        order = torch.randperm(len(x))
        x = lam * x + (1 - lam) * x[order]
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
    )
    clean = (
        """\
import numpy as np
import torch

def mix(x, lam, order):
    return lam * x + (1 - lam) * x[order], lam

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        lam = np.random.beta(0.4, 0.4)
        order = torch.randperm(len(x))
        mixed = lam * x + (1 - lam) * x[order]
        out = model(mixed)
        loss = lam * criterion(out, y) + (1 - lam) * criterion(out, y[order])
        loss.backward()

def smooth(old, new, decay):
    return decay * old + (1 - decay) * new
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            factor = _mixes(node)
            if not factor:
                continue
            scope = scope_of(program, node)
            inside = set(walk(node))
            uses = [
                part
                for part in walk(scope)
                if isinstance(part, ast.Name) and part.id == factor and isinstance(part.ctx, ast.Load)
            ]
            trained = any(getattr(part, "attr", "") in {"backward", "apply_gradients"} for part in walk(scope))
            if trained and all(part in inside for part in uses):
                message = f"{factor} mixes the inputs of two samples, but the labels are not mixed"
                yield self.finding(program, node, f"{message}: weight the losses of both labels")


def _mixes(node: ast.AST) -> str:
    """The factor of ``lam * x + (1 - lam) * x[order]``."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return ""
    sides = [side for side in (node.left, node.right) if isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mult)]
    if len(sides) != 2:
        return ""
    values = [part for side in sides for part in (side.left, side.right)]
    indexed = [part for part in values if isinstance(part, ast.Subscript)]
    plain = {written(part) for part in values}
    if not any(written(part.value) in plain for part in indexed):
        return ""
    factors = [dotted(part) for part in values if isinstance(part, ast.Name)]
    rest = [part for part in values if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub)]
    return next((name for name in factors if any(dotted(part.right) == name for part in rest)), "")
