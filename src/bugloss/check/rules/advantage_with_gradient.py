"""advantage-with-gradient."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import call_on
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, walk, written


class AdvantageWithGradient(Rule):
    """The policy loss sends gradients into the value network through the advantage.

    ## What it finds
    An advantage ``returns - values`` of values that carry gradients, multiplied with log-probabilities, without
    ``detach()``, ``item()`` or ``no_grad``.

    ## Why it hurts
    The critic is pulled towards values that make the policy loss small instead of values that are true; actor and
    critic work against each other.

    ## Example
    ```python
    advantage = returns - values
    policy_loss = -(log_probs * advantage).mean()
    ```

    ## Use instead
    ```python
    advantage = returns - values.detach()
    policy_loss = -(log_probs * advantage).mean()
    ```

    ## Known problems
    Values that were collected under ``no_grad`` in another file are reported.

    ## Fix safety
    Suggested: the advantage is detached.

    ## References
    Mnih et al., Asynchronous Methods for Deep Reinforcement Learning (2016), section 4.
    """

    name = "advantage-with-gradient"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("loss",)
    words = ("advantage", "delta", "td_error")
    faulty = (
        """\
import torch

def update(model, states, actions, returns, optimizer):
    logits, values = model(states)
    advantage = returns - values.squeeze(-1)
    log_probs = torch.distributions.Categorical(logits=logits).log_prob(actions)
    policy_loss = -(log_probs * advantage).mean()
    value_loss = advantage.pow(2).mean()
    optimizer.zero_grad()
    (policy_loss + 0.5 * value_loss).backward()
    optimizer.step()
""",
    )
    clean = (
        """\
import torch

def update(model, states, actions, returns, old_values, optimizer):
    logits, values = model(states)
    advantage = returns - values.squeeze(-1)
    log_probs = torch.distributions.Categorical(logits=logits).log_prob(actions)
    policy_loss = -(log_probs * advantage.detach()).mean()
    with torch.no_grad():
        gain = returns - model(states)[1]
    other = -(log_probs * gain).mean()
    third = -(log_probs * (returns - old_values)).mean()
    (policy_loss + advantage.pow(2).mean() + other + third).backward()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for node in program.nodes[ast.BinOp]:
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
                continue
            for log_prob, advantage in ((node.left, node.right), (node.right, node.left)):
                named = isinstance(advantage, ast.Name) and _ADVANTAGE.search(advantage.id)
                if not named or not _LOG_PROB.search(written(log_prob)):
                    continue
                if _carries_gradient(program, advantage):
                    message = f"{written(advantage)} sends the policy's gradient into the critic: detach it here"
                    fix = suggested(call_on(program, advantage, "detach()"))
                    yield self.finding(program, advantage, message, fix=fix)


_ADVANTAGE = re.compile(r"^(adv|advantages?|delta|td_error)$", re.IGNORECASE)
_LOG_PROB = re.compile(r"log_?prob|logp|log_pi", re.IGNORECASE)
_VALUE = re.compile(r"^(values?|critic\w*|state_values?|v|baseline)$", re.IGNORECASE)
_CUT = re.compile(r"detach|no_grad|\.item\(|\.data\b|numpy|inference_mode|normalize")


def _carries_gradient(program: Program, advantage: ast.expr) -> bool:
    """Whether the advantage is a difference with values that this function computes by a network."""
    made = definition(program, advantage)
    if not isinstance(made, ast.BinOp) or not isinstance(made.op, ast.Sub) or _CUT.search(written(made)):
        return False
    if _is_without_gradient(program, made):
        return False
    names = {last_part(part) for part in walk(made) if isinstance(part, ast.Name) and _VALUE.match(last_part(part))}
    return any(_is_computed(program, advantage, name) for name in names)


def _is_computed(program: Program, advantage: ast.expr, name: str) -> bool:
    """Whether the function that uses the values gets them from a call without cutting the gradient."""
    for part in walk(scope_of(program, advantage)):
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call | ast.Subscript):
            stored = {one.id for target in part.targets for one in walk(target) if isinstance(one, ast.Name)}
            if name in stored and not _CUT.search(written(part)) and not _is_without_gradient(program, part):
                return _NETWORK.search(written(part.value)) is not None
    return False


_NETWORK = re.compile(r"(model|net|network|critic|policy|agent|actor\w*|ac|forward)\w*\(", re.IGNORECASE)


def _is_without_gradient(program: Program, node: ast.AST) -> bool:
    around = program.enclosing(node, ast.With)
    return isinstance(around, ast.With) and any("grad" in written(item) for item in around.items)
