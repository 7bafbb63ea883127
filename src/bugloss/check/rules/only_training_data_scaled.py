"""only-training-data-scaled."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, insert_line_after
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import (
    FunctionNode,
    dotted,
    loads,
    method_of,
    receiver_of,
    stored,
    targets_of,
    walk,
    walk_here,
)

_TARGET_AND_VALUE = 2  # occurrences of a name in ``x = x / 255``


class OnlyTrainingDataScaled(Rule):
    """The training data are scaled, the held-out data are not.

    ## What it finds
    After a split or ``load_data``, one part of the inputs is divided, standardised or given to ``fit_transform``, and
    the other part is used as it was.

    ## Why it hurts
    The network sees inputs in evaluation that are many times as large as those it was trained on, and its accuracy
    there is that of a guess.

    ## Example
    ```python
    x_train = scaler.fit_transform(x_train)
    model.fit(x_train, y_train)
    model.evaluate(x_test, y_test)
    ```

    ## Use instead
    ```python
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.transform(x_test)
    model.fit(x_train, y_train)
    model.evaluate(x_test, y_test)
    ```

    ## Known problems
    Only parts that are unpacked together in the same function are compared.

    ## Fix safety
    Suggested: the held-out part gets the same line; only where this is a division by a number or a ``fit_transform``.

    ## References
    scikit-learn documentation, "Common pitfalls: inconsistent preprocessing".
    """

    name = "only-training-data-scaled"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("train_test_split", "load_data")
    faulty = (
        """\
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

def run(model, x, y):
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    scaler = StandardScaler()
    x_train = scaler.fit_transform(x_train)
    model.fit(x_train, y_train, epochs=3)
    return model.evaluate(x_test, y_test)
""",
        """\
import keras

(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()
x_train = x_train / 255.0
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x_train, y_train)
model.evaluate(x_test, y_test)
""",
    )
    clean = (
        """\
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

def run(model, x, y):
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    scaler = StandardScaler()
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.transform(x_test)
    model.fit(x_train, y_train, epochs=3)
    return model.evaluate(x_test, y_test)
""",
        """\
import keras

(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()
x_train = x_train / 255.0
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x_train, y_train)
model.evaluate(x_test / 255.0, y_test)
""",
        """\
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

def run(forest, net, x, y):
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    scaled = StandardScaler().fit_transform(x_train)
    net.fit(scaled, y_train)
    forest.fit(x_train, y_train)
    return forest.predict(x_test)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

def run(model, x, y):
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    scaler = StandardScaler()
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.transform(x_test)
    model.fit(x_train, y_train, epochs=3)
    return model.evaluate(x_test, y_test)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("train_test_split", "load_data"):
            node = program.parents.get(call)
            if isinstance(node, ast.Assign) and node.value is call:
                for trained, held in _pairs(node.targets[0], method_of(call)):
                    yield from self._judge(program, node, trained, held)

    def _judge(self, program: Program, split: ast.Assign, trained: str, held: str) -> Iterator[Finding]:
        home = scope_of(program, split)
        body = home.body if isinstance(home, ast.Module | FunctionNode) else []
        later = [node for node in walk_here(body) if getattr(node, "lineno", 0) > split.lineno]
        scaled = next((node for node in later if isinstance(node, ast.stmt) and _scales(node, trained)), None)
        if scaled is None or not _is_judged(later, held) or any(_touches(node, held) for node in later):
            return
        if method_of(getattr(scaled, "value", None)) == "fit_transform" and _transforms(program, scaled):
            return
        message = f"{trained} is scaled in line {scaled.lineno}, but {held} is used as it was: scale it in the same way"
        text = _same(program, scaled, trained, held)
        fix = insert_line_after(program, scaled, text, f"scale {held} in the same way") if text else None
        yield self.finding(program, scaled, message, fix=fix)


def _pairs(target: ast.expr, split: str) -> Iterator[tuple[str, str]]:
    """Names of the inputs of training with those held out."""
    elements = target.elts if isinstance(target, ast.Tuple) else []
    names = [[one.id for one in walk(part) if isinstance(one, ast.Name)] for part in elements]
    if (split == "load_data" and len(names) == 2 and all(len(part) == 2 for part in names)) or (
        split == "train_test_split" and len(names) in {2, 4} and all(len(part) == 1 for part in names)
    ):
        yield names[0][0], names[1][0]


def _scales(node: ast.stmt, name: str) -> bool:
    """``x = x / 255``, ``x /= 255``, ``x = (x - mean) / std`` or ``x = scaler.fit_transform(x)``."""
    if isinstance(node, ast.AugAssign):
        return dotted(node.target) == name and isinstance(node.op, ast.Div)
    if not isinstance(node, ast.Assign) or [dotted(target) for target in targets_of(node)] != [name]:
        return False
    if method_of(node.value) == "fit_transform":
        return isinstance(node.value, ast.Call) and any(dotted(part) == name for part in node.value.args)
    divided = isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Div)
    return divided and name in loads(node.value)


def _is_judged(nodes: list[ast.AST], held: str) -> bool:
    """Whether a network is evaluated with the held-out part as it is."""
    calls = [node for node in nodes if method_of(node) in {"evaluate", "predict", "score", "fit"}]
    return any(
        dotted(part) == held
        for call in calls
        for part in walk(call)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
    )


def _touches(node: ast.AST, held: str) -> bool:
    """Whether something else is made of the held-out part, or its name is given something."""
    if isinstance(node, ast.Assign | ast.AugAssign | ast.For):
        targets = [node.target] if isinstance(node, ast.For) else targets_of(node)
        if any(held in stored(target) for target in targets):
            return True
        value = None if isinstance(node, ast.For) else node.value
        return (
            value is not None
            and method_of(value) not in {"evaluate", "predict", "score", "fit"}
            and held in loads(value)
        )
    return isinstance(node, ast.BinOp) and held in loads(node)


def _transforms(program: Program, scaled: ast.stmt) -> bool:
    """Whether the scaler is used once more, or nobody can use it again because it has no name."""
    call = scaled.value if isinstance(scaled, ast.Assign) else None
    name = dotted(receiver_of(call)) if isinstance(call, ast.Call) else ""
    return not name or any(dotted(receiver_of(other)) == name for other in program.called("transform"))


def _same(program: Program, scaled: ast.stmt, trained: str, held: str) -> str:
    """The line once more for the held-out part; nothing where its numbers come from the part that has changed."""
    text = program.source.segment(scaled).replace("fit_transform", "transform")
    uses = re.findall(rf"\b{re.escape(trained)}\b", text)
    return re.sub(rf"\b{re.escape(trained)}\b", held, text) if len(uses) <= _TARGET_AND_VALUE else ""
