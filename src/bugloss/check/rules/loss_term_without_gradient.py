"""loss-term-without-gradient."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition, origin_nodes
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import unwrap_call
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, method_of, receiver_of, written


class LossTermWithoutGradient(Rule):
    """A term of the loss is cut off from the graph and has no effect on training.

    ## What it finds
    A sum that becomes the loss of ``backward()`` and contains a penalty or loss term under ``.item()``,
    ``.detach()``, ``.data``, ``float()`` or ``.numpy()``.

    ## Why it hurts
    The term is a number: it raises the printed loss and changes no weight.

    ## Example
    ```python
    loss = criterion(out, y) + 0.01 * penalty.item()
    loss.backward()
    ```

    ## Use instead
    ```python
    loss = criterion(out, y) + 0.01 * penalty
    loss.backward()
    ```

    ## Known problems
    A term that is to be shown only is reported when it is added to the loss.

    ## Fix safety
    Suggested: the call is removed.

    ## References
    PyTorch documentation of ``Tensor.detach``.
    """

    name = "loss-term-without-gradient"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("backward",)
    faulty = (
        """\
import torch

def step(model, x, y, criterion, optimizer):
    penalty = sum(p.abs().sum() for p in model.parameters())
    loss = criterion(model(x), y) + 1e-4 * penalty.item()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
        """\
import torch

def step(model, x, y, criterion, optimizer):
    l2_reg = 0.0
    for p in model.parameters():
        l2_reg = l2_reg + p.data.pow(2).sum()
    loss = criterion(model(x), y)
    loss = loss + 0.01 * l2_reg
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    )
    clean = (
        """\
import torch

def step(model, x, y, criterion, optimizer, target):
    penalty = sum(p.abs().sum() for p in model.parameters())
    loss = criterion(model(x), y) + 1e-4 * penalty
    total = loss.item() + 1.0
    distance = (model(x) - target.detach()).pow(2).mean()
    (loss + distance + (x.detach() * 2).sum()).backward()
    return total
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        seen: set[ast.AST] = set()
        for call in program.called("backward"):
            loss = receiver_of(call)
            for term in _terms(program, loss) if loss is not None else ():
                cut = _cut_off(program, term)
                if cut is not None and cut not in seen:
                    seen.add(cut)
                    message = f"{written(cut)} is a plain number here, so this term of the loss trains nothing"
                    fix = suggested(unwrap_call(program, cut)) if isinstance(cut, ast.Call) and not cut.args else None
                    yield self.finding(program, cut, message, fix=fix)


_TERM = re.compile(r"loss|penalty|reg|l1|l2|norm|kl|div|aux|smooth|entropy|decay", re.IGNORECASE)
_CUTS = {"item", "detach", "numpy", "tolist"}


def _terms(program: Program, node: ast.expr, depth: int = 6) -> Iterator[ast.expr]:
    """The summands of the loss, through names."""
    found = definition(program, node) if isinstance(node, ast.Name) else node
    if isinstance(found, ast.BinOp) and isinstance(found.op, ast.Add | ast.Sub) and depth:
        yield from _terms(program, found.left, depth - 1)
        yield from _terms(program, found.right, depth - 1)
    elif isinstance(found, ast.BinOp) and isinstance(found.op, ast.Mult | ast.Div):
        yield from (side for side in (found.left, found.right) if not isinstance(side, ast.Constant))
    else:
        yield found if not isinstance(found, ast.Name) else node


def _cut_off(program: Program, term: ast.expr) -> ast.expr | None:
    """What cuts a term off, where the whole term is cut."""
    if isinstance(term, ast.Call) and method_of(term) in _CUTS and _TERM.search(written(term)):
        return term
    if isinstance(term, ast.Call) and isinstance(term.func, ast.Name) and term.func.id == "float" and term.args:
        return term if _TERM.search(written(term)) else None
    if isinstance(term, ast.Name) and _TERM.search(term.id):
        return _sum_of_data(program, term)
    return None


def _sum_of_data(program: Program, term: ast.Name) -> ast.expr | None:
    """``p.data`` in the only expressions that the term adds up."""
    for part in origin_nodes(program, term):
        if isinstance(part, ast.Attribute) and part.attr == "data" and isinstance(part.value, ast.Name):
            return part if len(last_part(part.value)) < 8 else None
    return None
