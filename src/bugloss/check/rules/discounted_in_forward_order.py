"""discounted-in-forward-order."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, walk, written


class DiscountedInForwardOrder(Rule):
    """Returns are accumulated from the first reward instead of the last.

    ## What it finds
    ``total = reward + gamma * total`` in a loop over rewards that is not reversed, where the totals are collected.

    ## Why it hurts
    The return of a step is the sum of what follows it. Accumulated forwards, each step is credited with the rewards
    before it, so actions are reinforced for what happened earlier.

    ## Example
    ```python
    for reward in rewards:
        total = reward + gamma * total
        returns.append(total)
    ```

    ## Use instead
    ```python
    for reward in reversed(rewards):
        total = reward + gamma * total
        returns.insert(0, total)
    ```

    ## Known problems
    Rewards that were reversed before the loop are recognised by ``reversed``, ``[::-1]``, ``reverse`` and ``flip``
    only.

    ## Fix safety
    Suggested: the loop runs over the reversed rewards; the order of the collected returns must follow.

    ## References
    Sutton and Barto, Reinforcement Learning, section 3.3.
    """

    name = "discounted-in-forward-order"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("gamma", "GAMMA", "discount")
    faulty = (
        """\
import torch

def discounted(rewards, gamma):
    returns, total = [], 0.0
    for reward in rewards:
        total = reward + gamma * total
        returns.append(total)
    return torch.tensor(returns)
""",
    )
    clean = (
        """\
import torch

def discounted(rewards, gamma):
    returns, total = [], 0.0
    for reward in reversed(rewards):
        total = reward + gamma * total
        returns.insert(0, total)
    for reward in rewards[::-1]:
        total = reward + gamma * total
    backwards = list(reversed(rewards))
    for reward in backwards:
        total = reward + gamma * total
        returns.append(total)
    return torch.tensor(returns)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for loop in program.nodes[ast.For]:
            if not isinstance(loop, ast.For) or _is_reversed(program, loop.iter):
                continue
            bound = {part.id for part in walk(loop.target) if isinstance(part, ast.Name)}
            collects = any(
                isinstance(part, ast.Call) and last_part(part.func) in {"append", "insert"} for part in walk(loop)
            )
            for node in loop.body if collects else ():
                name = last_part(node.targets[0]) if isinstance(node, ast.Assign) else ""
                if name and isinstance(node, ast.Assign) and _accumulates(node.value, name, bound):
                    message = f"{name} sums the rewards before each step, not those after it: loop over reversed(...)"
                    yield self.finding(program, loop, message)


_DISCOUNT = re.compile(r"(\w+_)?(gamma|discount|decay|lam)(_\w+)?$", re.IGNORECASE)


def _accumulates(value: ast.expr, name: str, bound: set[str]) -> bool:
    """``reward + gamma * name``, in any order."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add):
        return False
    for reward, rest in ((value.left, value.right), (value.right, value.left)):
        names = [last_part(part) for part in walk(rest) if isinstance(part, ast.Name | ast.Attribute)]
        product = isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Mult)
        if product and name in names and any(_DISCOUNT.match(each) for each in names):
            return (
                isinstance(reward, ast.Name)
                and reward.id in bound
                and "rew" in reward.id.lower() + "rew" * (reward.id == "r")
            )
    return False


def _is_reversed(program: Program, iterated: ast.expr) -> bool:
    text = written(iterated) + written(definition(program, iterated))
    return any(word in text for word in ("reversed", "::-1", "reverse", "flip", "range("))
