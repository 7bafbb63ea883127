"""policy-gradient-with-wrong-sign."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, last_part, method_of, receiver_of, targets_of, walk_here

_GAINS = ("return", "reward", "advantage", "discounted")


class PolicyGradientWithWrongSign(Rule):
    """A policy gradient is minimised instead of maximised.

    ## What it finds
    The loss ``(log_prob * advantage).mean()`` (by the names of its parts) that is not negated before ``backward()``.

    ## Why it hurts
    Gradient descent on it makes good actions less likely: the reward falls.

    ## Example
    ```python
    loss = (log_probs * returns).mean()
    loss.backward()
    ```

    ## Use instead
    ```python
    loss = -(log_probs * returns).mean()
    loss.backward()
    ```

    ## Known problems
    Names are believed; returns that were negated before are not seen.

    ## Fix safety
    Suggested: a minus sign is put before the loss.

    ## References
    Williams, Simple statistical gradient-following algorithms (1992).
    """

    name = "policy-gradient-with-wrong-sign"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("log_prob",)
    faulty = (
        """\
import torch

def learn(log_probs, returns, optimizer):
    loss = (log_probs * returns).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    )
    clean = (
        """\
import torch

def learn(log_probs, returns, optimizer):
    loss = -(log_probs * returns).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

def gain(log_probs, advantages):
    objective = (log_probs * advantages).mean()
    (-objective).backward()
""",
        """\
import torch

def learn(log_probs, rewards, optimizer):
    parts = []
    for log_prob, reward in zip(log_probs, rewards):
        parts.append(-log_prob * reward)
    loss = torch.stack(parts).sum()
    loss.backward()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            assert isinstance(node, ast.BinOp)
            words = [last_part(side).lower() for side in (node.left, node.right)]
            matches = isinstance(node.op, ast.Mult) and any("log_prob" in word or "logp" in word for word in words)
            if not matches or not any(gain in word for word in words for gain in _GAINS):
                continue
            whole = _reduced(program, node)
            statement = program.parents.get(whole)
            name = dotted(targets_of(statement)[0]) if isinstance(statement, ast.Assign) else ""
            if name and isinstance(statement, ast.Assign) and _minimised(program, statement, name):
                message = f"{name} is minimised, so actions with a high return become less likely: negate it"
                text = f"-{program.source.segment(whole)}"
                yield self.finding(program, whole, message, fix=replace_node(program, whole, text, "negate the loss"))


def _reduced(program: Program, node: ast.expr) -> ast.expr:
    """The expression with the sum or mean around it."""
    while True:
        parent = program.parents.get(node)
        attribute = isinstance(parent, ast.Attribute) and parent.attr in {"sum", "mean"}
        if isinstance(parent, ast.expr) and (attribute or method_of(parent) in {"sum", "mean"}):
            node = parent
        else:
            return node


def _minimised(program: Program, statement: ast.Assign, name: str) -> bool:
    """Whether the value goes straight into ``backward()``, with nothing else done to it."""
    function = program.enclosing(statement, ast.FunctionDef) or program.tree
    loads = [
        node
        for node in walk_here(getattr(function, "body", []))
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]
    backward = [call for call in program.called("backward") if dotted(receiver_of(call)) == name]
    plain = all(isinstance(program.parents.get(node), ast.Attribute | ast.Call | ast.Return) for node in loads)
    return bool(backward) and plain and len(program.assignments.get(name, [])) >= 1
