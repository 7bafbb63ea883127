"""bootstrap-from-terminal-state."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, walk


class BootstrapFromTerminalState(Rule):
    """The value of the next state is counted where the episode has ended.

    ## What it finds
    ``reward + gamma * next_value`` in code that has a flag for the end of an episode (``done``, ``terminal`` …) at
    hand and uses it nowhere in the function.

    ## Why it hurts
    After the last step nothing more can be earned. Without the factor ``(1 - done)`` values of end states are
    bootstrapped from whatever the network says about the next one, and the estimates grow without limit.

    ## Example
    ```python
    state, action, reward, after, done = batch
    target = reward + gamma * target_net(after).max(1).values
    ```

    ## Use instead
    ```python
    state, action, reward, after, done = batch
    target = reward + gamma * target_net(after).max(1).values * (1 - done)
    ```

    ## Known problems
    Only a flag that the function receives or unpacks is known; tasks without an end have none.

    ## Fix safety
    Suggested: the discounted value is multiplied by one minus the flag.

    ## References
    Sutton and Barto, Reinforcement Learning, section 3.4; Mnih et al., Human-level control through deep
    reinforcement learning (2015).
    """

    name = "bootstrap-from-terminal-state"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("gamma", "GAMMA", "discount")
    faulty = (
        """\
import torch

def learn(net, target_net, batch, gamma=0.99):
    state, action, reward, after, done = batch
    with torch.no_grad():
        best = target_net(after).max(1).values
        target = reward + gamma * best
    return torch.nn.functional.mse_loss(net(state).gather(1, action).squeeze(1), target)
""",
    )
    clean = (
        """\
import torch

def learn(net, target_net, batch, gamma=0.99):
    state, action, reward, after, done = batch
    best = target_net(after).max(1).values
    best[done] = 0.0
    target = reward + gamma * best
    return target

def other(reward, after, terminal, net, gamma):
    return reward + gamma * (1 - terminal) * net(after)

def returns(rewards, gamma):
    total = 0.0
    for reward in reversed(rewards):
        total = reward + gamma * total
    return total

def play(env, agent, gamma):
    done = False
    while not done:
        action = agent.act()
        after, reward, done = env.step(action)
        agent.q[action] = reward + gamma * agent.value(after)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            future = _discounted(node)
            if future is None:
                continue
            scope = scope_of(program, node)
            flags = _flags(scope)
            used = [part for part in walk(scope) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
            if len(flags) == 1 and not any(part.id in flags for part in used):
                flag = next(iter(flags))
                text = f"{program.source.segment(future)} * (1 - {flag})"
                message = f"the next state's value counts after the end of an episode too: multiply it by (1 - {flag})"
                yield self.finding(program, node, message, fix=suggested(replace_node(program, future, text)))


_ENDS = re.compile(
    r"(is_)?(done|dones|terminal|terminals|terminated|terminates|final|finals|ended|over|not_done|nonterminal)s?(_?\w{1,5})?$"
)
_REWARD = re.compile(r"(reward|rewards|rew|r|rs|batch_r\w*|reward_\w+|\w+_rewards?)$")
_DISCOUNT = re.compile(r"(\w+_)?(gamma|discount)(_\w+)?$", re.IGNORECASE)


def _discounted(node: ast.AST) -> ast.BinOp | None:
    """``gamma * next`` of ``reward + gamma * next``, where the next value is more than a plain running total."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return None
    for reward, future in ((node.left, node.right), (node.right, node.left)):
        if not _REWARD.match(last_part(reward).lower()) or not isinstance(future, ast.BinOp):
            continue
        if isinstance(future.op, ast.Mult) and any(_DISCOUNT.match(last_part(part)) for part in walk(future)):
            return future
    return None


def _flags(scope: ast.AST) -> set[str]:
    """Names that say whether an episode has ended, as parameters or unpacked variables of a function."""
    names = {part.arg for part in walk(scope) if isinstance(part, ast.arg)}
    for part in walk(scope):
        if isinstance(part, ast.Tuple) and isinstance(part.ctx, ast.Store):
            names |= {one.id for one in part.elts if isinstance(one, ast.Name)}
    return {name for name in names if _ENDS.match(name.lower())}
