"""second-name-changed-in-place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import call_on
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, targets_of, walk, walk_here


class SecondNameChangedInPlace(Rule):
    """An array is changed in place under a second name, and read under the first afterwards.

    ## What it finds
    ``b = a`` between two variables, then an assignment to elements of ``b`` (or an operation in place), then a read
    of ``a`` where the values from before are meant.

    ## Why it hurts
    Both names stand for one array. The labels, the original image or the old state that are read from ``a`` are
    those that were just overwritten.

    ## Example
    ```python
    inputs = ids
    inputs[chosen] = MASK
    labels = torch.where(chosen, ids, IGNORE)
    ```

    ## Use instead
    ```python
    inputs = ids.clone()
    inputs[chosen] = MASK
    labels = torch.where(chosen, ids, IGNORE)
    ```

    ## Known problems
    A read of the first name that means the changed array is reported.

    ## Fix safety
    Suggested: a copy is made, by ``clone()`` for tensors and ``copy()`` for arrays.

    ## References
    NumPy documentation, copies and views.
    """

    name = "second-name-changed-in-place"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("] =", "_(", "+=", "*=", "-=")
    faulty = (
        """\
import torch

def mask_tokens(ids, rate, mask_id):
    chosen = torch.rand(ids.shape) < rate
    inputs = ids
    inputs[chosen] = mask_id
    labels = torch.where(chosen, ids, torch.full_like(ids, -100))
    return inputs, labels
""",
        """\
import numpy as np
import torch

def corrupt(clean, rng):
    noisy = clean
    noisy += rng.normal(0, 0.1, clean.shape)
    return noisy, clean
""",
    )
    clean = (
        """\
import torch

def mask_tokens(ids, rate, mask_id, table):
    chosen = torch.rand(ids.shape) < rate
    labels = ids.clone()
    inputs = ids
    inputs[chosen] = mask_id
    best = table
    best["score"] = 3
    total = rate
    total += 1
    return inputs, labels, total, rate, table
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.Assign]:
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Name) or len(node.targets) != 1:
                continue
            second, first = node.targets[0], node.value.id
            if not isinstance(second, ast.Name) or second.id == first:
                continue
            body = [
                part for part in walk_here(_body(scope_of(program, node))) if getattr(part, "lineno", 0) > node.lineno
            ]
            changed = min((line for part in body if (line := _changed(part, second.id))), default=None)
            if changed is None or _rebound(body, {first, second.id}, changed) or not _is_array(program, node, first):
                continue
            if any(_reads(part, first, changed) for part in body):
                copy = "clone()" if "torch" in program.frameworks and not _is_numpy(program, first) else "copy()"
                message = f"{second.id} is {first} itself, and line {changed} changes both: write {first}.{copy}"
                yield self.finding(program, node, message, fix=suggested(call_on(program, node.value, copy)))


def _body(scope: ast.AST) -> list[ast.AST]:
    return list(getattr(scope, "body", []))


def _changed(node: ast.AST, name: str) -> int:
    """The line on which elements of the array are assigned, or it is changed by an operation in place."""
    targets = targets_of(node) if isinstance(node, ast.Assign | ast.AugAssign) else []
    for target in targets:
        by_element = isinstance(target, ast.Subscript) and dotted(target.value) == name
        if by_element and isinstance(target, ast.Subscript) and not _is_key(target.slice):
            return target.lineno
        if isinstance(node, ast.AugAssign) and dotted(target) == name and not isinstance(node.value, ast.Constant):
            return target.lineno
    method = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    in_place = method is not None and method.attr.endswith("_") and not method.attr.startswith("_")
    if method is not None and in_place and dotted(method.value) == name and method.attr != "requires_grad_":
        return method.lineno
    return 0


def _is_key(index: ast.expr) -> bool:
    return isinstance(index, ast.Constant) and isinstance(index.value, str)


def _rebound(body: list[ast.AST], names: set[str], before: int) -> bool:
    """Whether one of the names stands for something else before the change."""
    return any(
        isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id in names and part.lineno < before
        for part in body
    )


def _reads(node: ast.AST, name: str, after: int) -> bool:
    if not isinstance(node, ast.Name) or node.id != name or not isinstance(node.ctx, ast.Load):
        return False
    return node.lineno > after


def _is_array(program: Program, node: ast.AST, name: str) -> bool:
    """Whether the name is used as an array: it has a shape, or array functions take it."""
    for part in walk(scope_of(program, node)):
        if isinstance(part, ast.Attribute) and dotted(part.value) == name and part.attr in _OF_ARRAYS:
            return True
        qualified = program.names.qualified(part.func) or "" if isinstance(part, ast.Call) else ""
        given = part.args if isinstance(part, ast.Call) else []
        if qualified.startswith(("torch.", "numpy.", "tensorflow.")) and any(dotted(one) == name for one in given):
            return True
    return False


_OF_ARRAYS = {"shape", "dtype", "size", "ndim", "device", "clone", "detach", "numpy", "astype", "float", "long"}


def _is_numpy(program: Program, name: str) -> bool:
    return any(
        (program.names.qualified(call.func) or "").startswith("numpy.")
        for node in program.assignments.get(name, ())
        for call in [node.value]
        if isinstance(call, ast.Call)
    ) or not program.mentions((f"{name}.clone", "torch.where", "full_like", "torch.rand"))
