"""alias-instead-of-copy."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import assigned_pairs, last_part, written


class AliasInsteadOfCopy(Rule):
    """A network is assigned instead of copied, so both names are one object.

    ## What it finds
    An assignment ``target = network`` between two names of networks, where the left one is named as a target
    network, a teacher, an average, a best or an old model, and nothing copies it.

    ## Why it hurts
    Both names stand for one network. The target moves with every step, the best model is the last one, and a ratio
    of new and old policy is always 1.

    ## Example
    ```python
    target_net = q_net
    ```

    ## Use instead
    ```python
    target_net = copy.deepcopy(q_net)
    ```

    ## Known problems
    Sharing on purpose under such a name is reported.

    ## Fix safety
    Suggested: the network is copied by ``copy.deepcopy``.

    ## References
    Mnih et al., Human-level control through deep reinforcement learning (2015).
    """

    name = "alias-instead-of-copy"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("loop",)
    words = ("target", "teacher", "ema", "best", "old", "momentum")
    faulty = (
        """\
import torch
from torch import nn

q_net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
target_net = q_net
optimizer = torch.optim.Adam(q_net.parameters(), lr=1e-3)
""",
        """\
import torch
from torch import nn

class Agent:
    def __init__(self, network):
        self.online = network
        self.target_network = self.online
        self.optimizer = torch.optim.Adam(self.online.parameters())

def fit(model, loader, validate):
    best_model, best = None, 0.0
    for epoch in range(5):
        score = validate(model)
        if score > best:
            best_model, best = model, score
    return best_model
""",
    )
    clean = (
        """\
import copy
import torch
from torch import nn

q_net = nn.Linear(4, 2)
target_net = copy.deepcopy(q_net)
target_size = q_net.in_features
best_score = score = 0.5
old_state = state = torch.zeros(3)
target = labels = torch.zeros(3)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.Assign]:
            for target, value in _pairs(node):
                name, source = last_part(target), last_part(value)
                if _COPY.match(name) and _NETWORK.search(source) and not _COPY.match(source):
                    text = f"copy.deepcopy({written(value)})"
                    message = f"{name} is {source} itself, not a copy of it: write {text}"
                    fix = suggested(replace_node(program, value, text)) if program.mentions(("import copy",)) else None
                    yield self.finding(program, value, message, fix=fix)


_ROLE = r"(target|teacher|ema|averaged?|best|old|momentum|shadow|frozen|reference)"
_KIND = r"(net|network|model|q|policy|critic|actor|encoder|agent)"
_COPY = re.compile(rf"{_ROLE}_?(\w*_)?{_KIND}\w*$|(ema|teacher|target_critic)$", re.IGNORECASE)
_NETWORK = re.compile(rf"(^|_)({_KIND}|student|online|q_net|qnet)(_\w+)?$", re.IGNORECASE)


def _pairs(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Names that are assigned names, also ``a, b = c, d``."""
    for one, value in assigned_pairs(node):
        if isinstance(one, ast.Name | ast.Attribute) and isinstance(value, ast.Name | ast.Attribute):
            yield one, value
