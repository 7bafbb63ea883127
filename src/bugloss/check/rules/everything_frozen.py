"""everything-frozen."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, dotted, is_constant, receiver_of, targets_of
from bugloss.source.training.gradient_steps import made_by


class EverythingFrozen(Rule):
    """An optimizer gets only parameters that were frozen before.

    ## What it finds
    A loop that sets ``requires_grad = False`` for all parameters of a network (or ``requires_grad_(False)`` on it),
    followed by an optimizer over the same parameters, with no new layer in between and nothing that is unfrozen. In
    Keras, ``model.trainable = False`` before ``compile`` and ``fit`` of that model.

    ## Why it hurts
    Nothing is trained: PyTorch stops because the loss needs no gradient, and Keras trains for hours without any change.

    ## Example
    ```python
    for parameter in model.parameters():
        parameter.requires_grad = False
    optimizer = torch.optim.Adam(model.parameters())
    ```

    ## Use instead
    ```python
    for parameter in model.parameters():
        parameter.requires_grad = False
    model.fc = nn.Linear(512, 10)
    optimizer = torch.optim.Adam(model.fc.parameters())
    ```

    ## Known problems
    Parameters that another function unfreezes are not seen when nothing in the file says so.

    ## Fix safety
    No fix is offered: only the author knows what is to be trained.

    ## References
    PyTorch documentation, "Autograd mechanics: setting requires_grad"; the catalogue's row all-frozen.
    """

    name = "everything-frozen"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.OPTIMIZER
    groups = ("optimizer", "model")
    words = ("requires_grad", "trainable")
    faulty = (
        """\
import torch
from torchvision import models

model = models.resnet18()
model.fc = torch.nn.Linear(512, 10)
for parameter in model.parameters():
    parameter.requires_grad = False
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
""",
        """\
import keras

def run(model, x, y):
    model.trainable = False
    model.compile("adam", "mse")
    model.fit(x, y)
""",
        """\
import torch

def run(model):
    model.requires_grad_(False)
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    return optimizer
""",
    )
    clean = (
        """\
import torch
from torchvision import models

model = models.resnet18()
for parameter in model.parameters():
    parameter.requires_grad = False
model.fc = torch.nn.Linear(512, 10)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
""",
        """\
import torch

def run(model):
    for parameter in model.parameters():
        parameter.requires_grad = False
    for parameter in model.head.parameters():
        parameter.requires_grad = True
    return torch.optim.SGD(model.parameters(), lr=0.1)
""",
        """\
import keras

def run(model, critic, x, y):
    critic.trainable = False
    model.compile("adam", "mse")
    model.fit(x, y)
    critic.trainable = True
    critic.compile("adam", "mse")
    critic.fit(x, y)
""",
        """\
import torch

def run(teacher, student):
    for parameter in teacher.parameters():
        parameter.requires_grad = False
    return torch.optim.SGD(student.parameters(), lr=0.1)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        frozen = list(_frozen(program))
        if frozen and not _thaws(program):
            for _, _, call in made_by(program, "optimizer"):
                for inner in calls_in(call, "parameters"):
                    yield from self._optimized(program, call, dotted(receiver_of(inner)), frozen)
        yield from self._fitted(program)

    def _optimized(
        self, program: Program, call: ast.Call, name: str, frozen: list[tuple[str, ast.expr | ast.stmt]]
    ) -> Iterator[Finding]:
        for owner, place in frozen:
            inside = name == owner or name.startswith(f"{owner}.")
            here = scope_of(program, place) is scope_of(program, call) and place.lineno < call.lineno
            if inside and here and not _changed_after(program, owner, place, call):
                message = f"the parameters of {name} are all frozen in line {place.lineno}: nothing is trained"
                yield self.finding(program, call, message)
                return

    def _fitted(self, program: Program) -> Iterator[Finding]:
        for fit in program.called("fit"):
            name = dotted(receiver_of(fit))
            before = [
                (call.lineno, "compile") for call in program.called("compile") if dotted(receiver_of(call)) == name
            ]
            set_to = [
                (node.lineno, is_constant(node.value, False))
                for node in program.assignments.get(f"{name}.trainable", ())
                if scope_of(program, node) is scope_of(program, fit)
            ]
            compiled = max((line for line, _ in before if line < fit.lineno), default=0)
            last = max(((line, off) for line, off in set_to if line < compiled), default=None)
            if name and last is not None and last[1] and not _made_between(program, name, last[0], compiled):
                message = f"{name}.trainable is False when {name} is compiled (line {compiled}): fit changes no weight"
                yield self.finding(program, fit, message)


def _made_between(program: Program, name: str, first: int, last: int) -> bool:
    """Whether a name means another network since a line, or one that got new layers."""
    made = any(first < node.lineno < last for node in program.assignments.get(name, ()))
    return made or any(
        first < call.lineno < last and dotted(receiver_of(call)) == name for call in program.called("add")
    )


def _frozen(program: Program) -> Iterator[tuple[str, ast.expr | ast.stmt]]:
    """Names of networks and parts whose parameters are all frozen, and where."""
    for loop in program.nodes[ast.For]:
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and len(loop.body) == 1:
            call, node = loop.iter, loop.body[0]
            off = isinstance(node, ast.Assign) and is_constant(node.value, False)
            named = off and any(dotted(target) == f"{loop.target.id}.requires_grad" for target in targets_of(node))
            if named and isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "parameters":
                yield dotted(receiver_of(call)), loop
    for call in program.called("requires_grad_"):
        if len(call.args) == 1 and is_constant(call.args[0], False) and isinstance(program.parents.get(call), ast.Expr):
            yield dotted(receiver_of(call)), call


def _thaws(program: Program) -> bool:
    """Whether anything in the file sets ``requires_grad`` to something else than False."""
    nodes = [*program.nodes[ast.Assign], *program.nodes[ast.AugAssign]]
    for node in nodes:
        for target in targets_of(node):
            value = getattr(node, "value", None)
            if isinstance(target, ast.Attribute) and target.attr == "requires_grad" and not is_constant(value, False):
                return True
    calls = program.called("requires_grad_")
    return any(not (call.args and is_constant(call.args[0], False)) for call in calls)


def _changed_after(program: Program, owner: str, place: ast.expr | ast.stmt, call: ast.Call) -> bool:
    """Whether a part of the network is replaced between freezing and training, or the network itself."""

    def between(node: ast.expr | ast.stmt) -> bool:
        return place.lineno < node.lineno < call.lineno

    names = [name for name in program.assignments if name == owner or name.startswith(f"{owner}.")]
    stores = [node for node in program.nodes[ast.Subscript] if isinstance(node, ast.Subscript) and between(node)]
    added = [other for other in program.called("add_module", "append", "register_parameter") if between(other)]
    return (
        any(between(node) for name in names for node in program.assignments[name])
        or any(not isinstance(node.ctx, ast.Load) and dotted(node.value).startswith(owner) for node in stores)
        or any(dotted(receiver_of(other)).startswith(owner) for other in added)
    )
