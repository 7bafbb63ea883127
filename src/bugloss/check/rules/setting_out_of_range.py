"""setting-out-of-range."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.setting import setting_problem
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class SettingOutOfRange(Rule):
    """A setting of training has a value that cannot work.

    ## What it finds
    Numbers that are written in the call, or behind a name in the same file: momentum or betas near 1 or beyond, a
    second beta below 0.5, weight decay of 0.5 or more, an ``eps`` near 1, a schedule whose ``gamma`` is above 1, a
    gradient clipped to a norm below 0.0001, label smoothing of 0.9 or more, batch normalisation with a momentum near
    zero.

    ## Why it hurts
    Momentum of 1 or more never forgets and diverges; large weight decay pulls all weights to zero; a growing schedule
    diverges; clipping to almost nothing stops learning.

    ## Example
    ```python
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=9)
    ```

    ## Use instead
    ```python
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    ```

    ## Known problems
    Values that are computed are not looked at.

    ## Fix safety
    No fix is offered: the usual value is in the message.

    ## References
    Documentation of the optimizers of PyTorch and Keras.
    """

    name = "setting-out-of-range"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.OPTIMIZER
    groups = ("optimizer",)
    words = ("momentum", "weight_decay", "eps", "gamma", "beta", "clip_", "label_smoothing", "clipnorm", "clipvalue")
    faulty = (
        """\
import torch

def make(model):
    return torch.optim.SGD(model.parameters(), lr=0.01, momentum=9)
""",
        """\
import torch

def make(optimizer):
    return torch.optim.lr_scheduler.StepLR(optimizer, step_size=10, gamma=10)
""",
        """\
import keras

optimizer = keras.optimizers.Adam(learning_rate=0.001, beta_1=1.0)
""",
        """\
import torch

def clip(model):
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1e-6)
""",
    )
    clean = (
        """\
import torch
import keras

def make(model):
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
    return torch.optim.lr_scheduler.StepLR(optimizer, step_size=10, gamma=0.1)

optimizer = keras.optimizers.Adam(learning_rate=0.001, beta_1=0.9, epsilon=1e-7)
layer = torch.nn.BatchNorm1d(3, eps=1e-3, momentum=0.01)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.nodes[ast.Call]:
            assert isinstance(call, ast.Call)
            if not call.keywords:
                continue
            name = program.names.qualified(call.func) or ""
            if name.startswith(("torch.", "keras.", "tensorflow.")):
                for keyword in call.keywords:
                    for parameter, value in _numbers(program, keyword):
                        problem = setting_problem(name, parameter, value)
                        if problem:
                            yield self.finding(program, keyword.value, problem)


def _numbers(program: Program, keyword: ast.keyword) -> Iterator[tuple[str, float]]:
    """The numbers that a keyword gives, by the name of the setting; a pair of betas is two settings."""
    values = keyword.value.elts if isinstance(keyword.value, ast.Tuple) else [keyword.value]
    names = ("beta_1", "beta_2") if keyword.arg == "betas" else (keyword.arg or "",)
    for name, node in zip(names, values, strict=False):
        number = _number(program, node)
        if number is not None:
            yield name, number


def _number(program: Program, node: ast.expr) -> float | None:
    """A number that is written here, or in the one assignment or the default of the parameter behind a name."""
    if isinstance(node, ast.Name):
        made = program.assignments.get(node.id, [])
        function = program.enclosing(node, ast.FunctionDef)
        given = _default(function, node.id) if isinstance(function, ast.FunctionDef) else None
        found = given or (made[0].value if len(made) == 1 and isinstance(made[0].targets[0], ast.Name) else None)
        return _number(program, found) if isinstance(found, ast.Constant) else None
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    return None


def _default(function: ast.FunctionDef, name: str) -> ast.expr | None:
    names = [argument.arg for argument in function.args.args]
    return dict(zip(reversed(names), reversed(function.args.defaults), strict=False)).get(name)
