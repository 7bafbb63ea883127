"""returned-array-changed-later."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import call_on
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, walk


class ReturnedArrayChangedLater(Rule):
    """An object returns its own array and changes it in place afterwards.

    ## What it finds
    A method that returns ``self.state`` (or another array of the object) as it is, in a class that also changes
    this array in place (``self.state += …``, ``self.state[0] = …``), in a file that keeps what it gets in a list or
    shares its memory with a tensor.

    ## Why it hurts
    All entries of the list are one array. When the object changes it, everything that was stored changes too, and
    the whole history becomes the latest state.

    ## Example
    ```python
    def step(self, action):
        self.state += self.velocity
        return self.state, reward
    ```

    ## Use instead
    ```python
    def step(self, action):
        self.state += self.velocity
        return self.state.copy(), reward
    ```

    ## Known problems
    Programs that copy what they get are only recognised by the word copy or clone, or by ``torch.tensor``.

    ## Fix safety
    Suggested: a copy is returned.

    ## References
    NumPy documentation, copies and views; PyTorch documentation of ``torch.from_numpy``.
    """

    name = "returned-array-changed-later"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("self.",)
    faulty = (
        """\
import numpy as np
import torch

class Cart:
    def reset(self):
        self.state = np.zeros(4, dtype=np.float32)
        return self.state

    def step(self, action):
        self.state[0] += 0.1 * self.state[1]
        self.state[1] += 0.5 if action else -0.5
        return self.state, 1.0

def collect(env, policy):
    observations = []
    state = env.reset()
    for _ in range(200):
        observations.append(torch.from_numpy(state))
        state, reward = env.step(policy(state))
    return torch.stack(observations)
""",
    )
    clean = (
        """\
import numpy as np
import torch

class Cart:
    def reset(self):
        self.state = np.zeros(4, dtype=np.float32)
        self.count = 0
        return self.state.copy()

    def step(self, action):
        self.state[0] += 0.1 * self.state[1]
        self.count += 1
        return self.state.copy(), self.count

def collect(env, policy):
    observations = []
    state = env.reset()
    for _ in range(200):
        observations.append(torch.from_numpy(state))
        state, reward = env.step(policy(state))
    return torch.stack(observations)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        shared = program.called("from_numpy", "as_tensor")
        kept = program.called("append", "push", "add", "store", "remember")
        if not (shared and kept) and not _kept_as_it_is(program):
            return
        for owner in program.nodes[ast.ClassDef]:
            changed = _changed_in_place(owner)
            for node in walk(owner):
                for value in _returned(node):
                    if dotted(value) in changed:
                        message = f"{dotted(value)} is changed in place later, with all that keeps it: return a copy"
                        yield self.finding(program, value, message, fix=suggested(call_on(program, value, "copy()")))


def _kept_as_it_is(program: Program) -> bool:
    """Whether a name that a call returned is appended without a conversion, alone or in a tuple."""
    results = {
        part.id
        for node in program.nodes[ast.Assign]
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        for part in walk(target)
        if isinstance(part, ast.Name)
    }
    for call in program.called("append", "push", "store", "remember"):
        for given in call.args:
            parts = given.elts if isinstance(given, ast.Tuple) else [given]
            if any(isinstance(part, ast.Name) and part.id in results and "state" in part.id for part in parts):
                return True
    return False


def _changed_in_place(owner: ast.AST) -> set[str]:
    """Arrays of the object of which elements are assigned, or that are arrays and grow in place."""
    names = set()
    for node in walk(owner):
        target = node.target if isinstance(node, ast.AugAssign) else None
        targets = node.targets if isinstance(node, ast.Assign) else [target] if target is not None else []
        for one in targets:
            if isinstance(one, ast.Subscript) and dotted(one.value).startswith("self."):
                names.add(dotted(one.value))
    return names


def _returned(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Return) and node.value is not None:
        yield from node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
