"""loop-variable-bound-late."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import loads, method_of, stored, walk


class LoopVariableBoundLate(Rule):
    """A function made in a loop reads the last value of the loop variable.

    ## What it finds
    A ``lambda`` or nested function that reads the variable of the loop around it and is stored for later: in a
    list, a dictionary, or as a hook.

    ## Why it hurts
    The variable is looked up when the function runs, after the loop: all functions use its last value, the last
    layer, the last weight.

    ## Example
    ```python
    for name, layer in layers:
        layer.register_forward_hook(lambda m, i, o: store(name, o))
    ```

    ## Use instead
    ```python
    for name, layer in layers:
        layer.register_forward_hook(lambda m, i, o, name=name: store(name, o))
    ```

    ## Known problems
    Functions that run before the next iteration are not affected; a call in the same iteration is recognised only
    for map, filter, sorted and the like.

    ## Fix safety
    No fix is offered.

    ## References
    Python FAQ: why do lambdas defined in a loop with different values all return the same result.
    """

    name = "loop-variable-bound-late"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("lambda", "def ")
    faulty = (
        """\
import torch

def watch(model, kept):
    for name, layer in model.named_modules():
        layer.register_forward_hook(lambda module, given, out: kept.update({name: out.detach()}))
""",
        """\
import torch

scales = [0.5, 1.0, 2.0]
losses = [lambda a, b: scale * (a - b).abs().mean() for scale in scales]
""",
    )
    clean = (
        """\
import torch

def watch(model, kept, rows):
    for name, layer in model.named_modules():
        layer.register_forward_hook(lambda module, given, out, name=name: kept.update({name: out.detach()}))
    for row in rows:
        best = max(row, key=lambda item: item[0] + len(row))
        def score(x):
            return x * row.weight
        print(score(best))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.Lambda]:
            if isinstance(node, ast.Lambda) and _is_kept(program, node):
                own = {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
                late = sorted((loads(node.body) - own) & _loop_variables(program, node))
                if late:
                    message = f"{late[0]} is read when the function runs, after the loop: bind it, {late[0]}={late[0]}"
                    yield self.finding(program, node, message)


_KEEPS = ("append", "add", "register_", "setdefault", "insert", "LambdaCallback", "Lambda", "LambdaLR", "partial")


def _is_kept(program: Program, node: ast.Lambda) -> bool:
    """Whether the function is stored: in a container, as an element, or by a call that keeps it."""
    parent = program.parents.get(node)
    if isinstance(parent, ast.keyword):
        parent = program.parents.get(parent)
    if isinstance(parent, ast.Call):
        return method_of(parent).startswith(_KEEPS)
    if isinstance(parent, ast.Assign):
        return any(isinstance(target, ast.Subscript) for target in parent.targets)
    return isinstance(parent, ast.ListComp | ast.DictComp)


def _loop_variables(program: Program, node: ast.AST) -> set[str]:
    """Variables of the loops and comprehensions around a node, in its own function."""
    names: set[str] = set()
    current = program.parents.get(node)
    while current is not None and not isinstance(
        current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
    ):
        if isinstance(current, ast.For | ast.AsyncFor):
            names |= stored(current.target)
        if isinstance(current, ast.ListComp | ast.DictComp | ast.SetComp | ast.GeneratorExp):
            names |= {name for one in current.generators for name in stored(one.target)}
        current = program.parents.get(current)
    return names if len(walk(node)) else set()
