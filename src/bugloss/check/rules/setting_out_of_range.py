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
    Numbers that are written in the call: momentum or betas of 1 or more, weight decay of 0.5 or more, an ``eps`` of 0.1
    or more, a schedule whose ``gamma`` is above 1, a gradient clipped to a norm below 0.0001, label smoothing of 0.9 or
    more, an exponential average with a momentum outside 0 to 1.

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
                    problem = setting_problem(name, keyword.arg or "", _number(keyword.value))
                    if problem:
                        yield self.finding(program, keyword.value, problem)


def _number(node: ast.expr) -> float | None:
    """A number that is written; of a pair of betas the larger one."""
    if isinstance(node, ast.Tuple):
        known = [number for number in map(_number, node.elts) if number is not None]
        return max(known) if len(known) == len(node.elts) and known else None
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    return None
