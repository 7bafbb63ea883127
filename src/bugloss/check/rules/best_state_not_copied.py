"""best-state-not-copied."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.check.views.training_loops import loops_around
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, method_of, targets_of, walk


class BestStateNotCopied(Rule):
    """The best weights are kept by reference, so they go on changing.

    ## What it finds
    ``best = model.state_dict()`` in a loop (or in a method, kept as ``self.best_state``) that is loaded again later
    with ``load_state_dict``.

    ## Why it hurts
    ``state_dict()`` returns the live tensors. Every later optimizer step changes them too, so what is loaded in the end
    is the last state and not the best one.

    ## Example
    ```python
    for epoch in range(epochs):
        loss = validate(model)
        if loss < best_loss:
            best_loss, best_state = loss, None
            best_state = model.state_dict()
    model.load_state_dict(best_state)
    ```

    ## Use instead
    ```python
    for epoch in range(epochs):
        loss = validate(model)
        if loss < best_loss:
            best_loss = loss
            best_state = copy.deepcopy(model.state_dict())
    model.load_state_dict(best_state)
    ```

    ## Known problems
    A state that is also written with ``torch.save`` before the next step is not reported.

    ## Fix safety
    Suggested: a clone of every tensor is kept, which needs as much memory as the network.

    ## References
    PyTorch documentation, "Saving and loading models": best_model_state must be copied.
    """

    name = "best-state-not-copied"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("state_dict",)
    faulty = (
        """\
import torch

def run(model, epochs, train, validate):
    lowest = 1e9
    for epoch in range(epochs):
        train(model)
        loss = validate(model)
        if loss < lowest:
            lowest = loss
            best_state = model.state_dict()
    model.load_state_dict(best_state)
""",
        """\
import torch

class EarlyStopping:
    def __call__(self, loss, model):
        if loss < self.best_loss:
            self.best_loss = loss
            self.best_state = model.state_dict()

    def restore(self, model):
        model.load_state_dict(self.best_state)
""",
        """\
import torch

def run(model, epochs, train, validate):
    best, lowest = None, 1e9
    for epoch in range(epochs):
        train(model)
        if validate(model) < lowest:
            best = dict(model.state_dict())
    model.load_state_dict(best)
""",
    )
    clean = (
        """\
import copy
import torch

def run(model, epochs, train, validate):
    for epoch in range(epochs):
        train(model)
        if validate(model):
            best_state = copy.deepcopy(model.state_dict())
    model.load_state_dict(best_state)
""",
        """\
import torch

def run(model, other, epochs, train):
    for epoch in range(epochs):
        train(model)
        state = model.state_dict()
        other.load_state_dict(state)
    start = model.state_dict()
    other.load_state_dict(start)
""",
        """\
import torch

def run(model, epochs, train):
    for epoch in range(epochs):
        train(model)
        best = model.state_dict()
        torch.save(best, "best.pt")
    best = torch.load("best.pt", weights_only=True)
    model.load_state_dict(best)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def run(model, epochs, train, validate):
    lowest = 1e9
    for epoch in range(epochs):
        train(model)
        loss = validate(model)
        if loss < lowest:
            lowest = loss
            best_state = {key: value.clone() for key, value in model.state_dict().items()}
    model.load_state_dict(best_state)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        loaded = [call for call in program.called("load_state_dict") if call.args and dotted(call.args[0])]
        for node in program.nodes[ast.Assign]:
            assert isinstance(node, ast.Assign)
            name = dotted(targets_of(node)[0])
            state = _live_state(node.value)
            if state is None or not name or not _is_kept(program, node, name, loaded):
                continue
            message = f"{name} is not a copy: later steps change it too; keep clones of the tensors"
            text = f"{{key: value.clone() for key, value in {program.source.segment(state)}.items()}}"
            fix = replace_node(program, node.value, text, "keep clones of the tensors")
            yield self.finding(program, node, message, fix=fix)


def _live_state(value: ast.expr) -> ast.Call | None:
    """``model.state_dict()``; a shallow copy of it has the same tensors."""
    while isinstance(value, ast.Call):
        method = method_of(value)
        if method == "state_dict" and not value.keywords:
            return value
        if method in {"dict", "OrderedDict"} and len(value.args) == 1:
            value = value.args[0]
        elif method == "copy" and isinstance(value.func, ast.Attribute) and not value.args:
            value = value.func.value
        else:
            return None
    return None


def _is_kept(program: Program, node: ast.Assign, name: str, loaded: list[ast.Call]) -> bool:
    """Whether the state is loaded after the loop (or the method) that keeps it went on."""
    uses = [call for call in loaded if dotted(call.args[0]) == name]
    if _is_saved(program, node, name):
        return False
    if "." in name:
        home = program.enclosing(node, ast.FunctionDef)
        elsewhere = any(program.enclosing(call, ast.FunctionDef) is not home for call in uses)
        if "best" in name.lower() and elsewhere:
            return True
    loops = loops_around(program, node)
    home = program.enclosing(node, ast.FunctionDef)
    return bool(loops) and any(
        loops[-1] not in loops_around(program, call)
        and call.lineno > node.lineno
        and program.enclosing(call, ast.FunctionDef) is home
        for call in uses
    )


def _is_saved(program: Program, node: ast.Assign, name: str) -> bool:
    saves = [call for call in program.called("save") if call.args]
    return any(dotted(part) == name for call in saves for part in walk(call.args[0]) if isinstance(part, ast.expr))
