"""shuffled-separately."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from bugloss.check.contract import Rule, suggested
from bugloss.core.edit import merged
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import written
from bugloss.source.values.values import Operation

_SHUFFLES = ("numpy.random.shuffle", "random.shuffle", "numpy.random.Generator.shuffle")
_RESTORING = ("seed", "set_state", "setstate", "randomstate(", "default_rng(", "generator(")


class ShuffledSeparately(Rule):
    """Samples and labels are shuffled in two different orders.

    ## What it finds
    Two calls of ``np.random.shuffle`` (or ``random.shuffle``) on two variables that are used together afterwards,
    without the random state being restored between them.

    ## Why it hurts
    Each call draws its own order: labels no longer match their samples, and the network learns noise. The training
    loss decreases by memorising; the accuracy on new data stays at chance level.

    ## Example
    ```python
    np.random.shuffle(samples)
    np.random.shuffle(labels)
    model.fit(samples, labels)
    ```

    ## Use instead
    ```python
    order = np.random.permutation(len(samples))
    model.fit(samples[order], labels[order])
    ```

    ## Known problems
    Variables that are only used together in another function are not paired.

    ## Fix safety
    Suggested: one order is drawn and used for both.

    ## References
    NumPy documentation of ``numpy.random.shuffle`` and ``numpy.random.permutation``.
    """

    name = "shuffled-separately"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("shuffle",)
    faulty = (
        """\
import numpy as np
import keras

def train(model, samples, labels):
    np.random.shuffle(samples)
    np.random.shuffle(labels)
    model.fit(samples, labels)
""",
        """\
import numpy as np
import keras

rng = np.random.default_rng(0)
rng.shuffle(samples)
rng.shuffle(labels)
x_train, y_train = samples[:800], labels[:800]
x_test, y_test = samples[800:], labels[800:]
""",
    )
    clean = (
        """\
import numpy as np

def train(model, samples, labels):
    order = np.random.RandomState(3)
    order.shuffle(samples)
    order = np.random.RandomState(3)
    order.shuffle(labels)
    model.fit(samples, labels)
""",
        """\
import numpy as np

def train(model, samples, labels):
    np.random.seed(3)
    np.random.shuffle(samples)
    np.random.seed(3)
    np.random.shuffle(labels)
    model.fit(samples, labels)
""",
        """\
import numpy as np

def sample(model, cats, dogs):
    np.random.shuffle(cats)
    np.random.shuffle(dogs)
    return np.concatenate([cats[:10], dogs[:10]])
""",
        """\
import numpy as np

def train(model, pairs):
    np.random.shuffle(pairs)
    x, y = zip(*pairs)
    model.fit(x, y)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        shuffles = [
            (operation, name) for operation in program.calls(*_SHUFFLES) if (name := _shuffled(operation)) is not None
        ]
        for (first, a), (second, b) in pairwise(shuffles):
            owner = program.enclosing(first.node, ast.FunctionDef, ast.AsyncFunctionDef)
            if a == b or owner is not program.enclosing(second.node, ast.FunctionDef, ast.AsyncFunctionDef):
                continue
            if program.parents.get(program.parents[first.node]) is not program.parents.get(
                program.parents[second.node]
            ):
                continue
            if not _restored(program, first.node, second.node) and _used_together(program, second.node, {a, b}):
                message = f"{a} and {b} are shuffled in two different orders, so their elements no longer match"
                yield self.finding(program, second.node, message, fix=_together(program, first.node, second.node, a, b))


def _together(program: Program, first: ast.expr, second: ast.expr, a: str, b: str) -> Fix | None:
    """One order for both, drawn where the first was shuffled."""
    one, other = program.parents.get(first), program.parents.get(second)
    numpy = next((bound for bound, target in program.names.imported.items() if target == "numpy"), "")
    if not isinstance(one, ast.Expr) or not isinstance(other, ast.Expr) or not numpy:
        return None
    drawn = replace_node(program, one, f"order = {numpy}.random.permutation(len({a}))")
    taken = replace_node(program, other, f"{a}, {b} = {a}[order], {b}[order]")
    return suggested(merged([drawn, taken]))


def _shuffled(operation: Operation) -> str | None:
    node = operation.node
    argument = node.args[0] if isinstance(node, ast.Call) and node.args else None
    return argument.id if isinstance(argument, ast.Name) else None


def _restored(program: Program, first: ast.expr, second: ast.expr) -> bool:
    between = range(first.lineno + 1, second.lineno)
    lines = (program.source.lines[number - 1] for number in between)
    return any(word in line.lower() for line in lines for word in _RESTORING)


def _used_together(program: Program, after: ast.expr, names: set[str]) -> bool:
    """Whether both variables are arguments of one ``fit``-like call that follows."""
    for node in program.nodes[ast.Call]:
        if not isinstance(node, ast.Call) or node.lineno <= after.lineno:
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in _TOGETHER and names <= {part.id for part in node.args if isinstance(part, ast.Name)}:
            return True
    return _cut_in_the_same_way(program, after, names)


def _cut_in_the_same_way(program: Program, after: ast.expr, names: set[str]) -> bool:
    """Whether both variables are indexed with the same expression afterwards, as pairs are: ``x[:cut], y[:cut]``."""
    taken: dict[str, set[str]] = {name: set() for name in names}
    for node in program.nodes[ast.Subscript]:
        name = getattr(node.value, "id", "") if isinstance(node, ast.Subscript) else ""
        if isinstance(node, ast.Subscript) and name in taken and node.lineno > after.lineno:
            taken[name].add(written(node.slice))
    one, other = taken.values()
    return len(one & other) > 1 or (bool(one & other) and _named_as_pair(names))


def _named_as_pair(names: set[str]) -> bool:
    """Whether one of the names says that it holds targets."""
    return sum(any(word in name.lower() for word in ("label", "target", "class")) or name == "y" for name in names) == 1


_TOGETHER = {"fit", "train_on_batch", "zip", "TensorDataset", "train_test_split", "evaluate", "partial_fit"}
