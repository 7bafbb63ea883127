"""entropy-bonus-with-wrong-sign."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import origin_nodes
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, targets_of, walk


class EntropyBonusWithWrongSign(Rule):
    """The entropy of a policy is added to the loss.

    ## What it finds
    ``loss = policy_loss + 0.01 * entropy``: the entropy of a policy with a plus sign in what is minimised.

    ## Why it hurts
    Minimising the entropy makes the policy deterministic at once, so it stops to explore. A bonus for entropy is
    subtracted from the loss.

    ## Example
    ```python
    loss = policy_loss + 0.5 * value_loss + 0.01 * entropy
    ```

    ## Use instead
    ```python
    loss = policy_loss + 0.5 * value_loss - 0.01 * entropy
    ```

    ## Known problems
    A variable that holds the negative entropy already is recognised where it is assigned, or by ``entropy_loss``.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    Mnih et al., Asynchronous Methods for Deep Reinforcement Learning (2016).
    """

    name = "entropy-bonus-with-wrong-sign"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("entropy",)
    faulty = (
        """\
import torch

def loss_of(distribution, action, advantage, value_loss):
    entropy = distribution.entropy().mean()
    policy_loss = -(distribution.log_prob(action) * advantage).mean()
    loss = policy_loss + 0.5 * value_loss + 0.01 * entropy
    return loss
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def loss_of(distribution, action, advantage, value_loss):
    entropy = distribution.entropy().mean()
    policy_loss = -(distribution.log_prob(action) * advantage).mean()
    loss = policy_loss + 0.5 * value_loss - 0.01 * entropy
    return loss
""",
    }
    clean = (
        """\
import torch

def loss_of(distribution, action, advantage, value_loss, cross_entropy):
    entropy = distribution.entropy().mean()
    entropy_loss = -entropy
    policy_loss = -(distribution.log_prob(action) * advantage).mean()
    loss = policy_loss + 0.5 * value_loss - 0.01 * entropy
    other_loss = policy_loss + 0.01 * entropy_loss + cross_entropy
    return loss + other_loss
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not program.mentions(("log_prob", "logp", "advantage", "policy")):
            return
        for node in program.nodes[ast.Assign]:
            if not isinstance(node, ast.Assign) or "loss" not in last_part(targets_of(node)[0]).lower():
                continue
            for term in _added(node.value):
                names = [part for part in walk(term) if isinstance(part, ast.Name | ast.Attribute)]
                bonus = next((part for part in names if _ENTROPY.match(last_part(part))), None)
                if bonus is None or any(_is_negative(part) for part in (*walk(term), *origin_nodes(program, bonus))):
                    continue
                message = (
                    f"{last_part(bonus)} is added to what is minimised, so the policy stops to explore: subtract it"
                )
                whole = program.parents.get(term)
                fix = None
                if isinstance(whole, ast.BinOp) and whole.right is term:
                    left, right = program.source.segment(whole.left), program.source.segment(term)
                    fix = suggested(replace_node(program, whole, f"{left} - {right}"))
                yield self.finding(program, term, message, fix=fix)


_ENTROPY = re.compile(r"(mean_|policy_|dist_|avg_)?(entropy|entropies|ent)(_bonus|_term|_mean)?$")


def _is_negative(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _added(value: ast.expr) -> Iterator[ast.expr]:
    """The terms that a sum adds."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        yield from _added(value.left)
        yield value.right
    elif isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub):
        yield from _added(value.left)
