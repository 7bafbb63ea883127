"""folds-share-one-model."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import definition
from bugloss.check.views.evaluation import network_names
from bugloss.check.views.training_loops import makes_model, trains
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import reachable
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, method_of, receiver_of, walk


class FoldsShareOneModel(Rule):
    """All folds of a cross-validation train one and the same model.

    ## What it finds
    A loop over the folds of a splitter (``for train, test in kfold.split(x)``) that trains a network which is
    created before the loop and never reset in it.

    ## Why it hurts
    From the second fold on the network has already been trained on the samples that it is tested on, so the scores
    are far too good.

    ## Example
    ```python
    model = build()
    for train, test in KFold(5).split(x):
        model.fit(x[train], y[train])
        scores.append(model.evaluate(x[test], y[test]))
    ```

    ## Use instead
    ```python
    for train, test in KFold(5).split(x):
        model = build()
        model.fit(x[train], y[train])
        scores.append(model.evaluate(x[test], y[test]))
    ```

    ## Known problems
    Estimators of scikit-learn start again with every ``fit`` and are not reported.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    scikit-learn user guide, "Cross-validation".
    """

    name = "folds-share-one-model"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data", "loop")
    words = (".split(",)
    faulty = (
        """\
import keras
from sklearn.model_selection import KFold

model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
scores = []
for train, test in KFold(5).split(x):
    model.fit(x[train], y[train], epochs=5, verbose=0)
    scores.append(model.evaluate(x[test], y[test]))
""",
    )
    clean = (
        """\
import keras
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

def build():
    model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model

linear = LogisticRegression()
base = build()
start = base.get_weights()
for train, test in KFold(5).split(x):
    model = build()
    model.fit(x[train], y[train], epochs=5, verbose=0)
    linear.fit(x[train], y[train])
for train, test in KFold(5).split(x):
    base.set_weights(start)
    base.fit(x[train], y[train], epochs=5, verbose=0)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for loop in program.nodes[ast.For]:
            if not isinstance(loop, ast.For) or not any(_splits(program, part) for part in walk(loop.iter)):
                continue
            inside = reachable(program, loop.body)
            if not trains(program, loop.body) or makes_model(program, loop.body):
                continue
            if any(method_of(node) in _RESET for node in inside):
                continue
            name = _trained(program, loop)
            if name is not None:
                message = f"{name} goes on from the previous fold, whose training data contain this fold's test data"
                yield self.finding(program, loop, f"{message}: create it inside the loop")


_RESET = {"set_weights", "load_state_dict", "load_weights", "reset_parameters", "apply", "clone", "restore", "build"}


def _splits(program: Program, node: ast.AST) -> bool:
    """``splitter.split(x)`` of scikit-learn, not the split of a tensor or a text."""
    owner = receiver_of(node) if isinstance(node, ast.Call) and method_of(node) == "split" else None
    made = definition(program, owner) if owner is not None else None
    return isinstance(made, ast.Call) and (program.names.qualified(made.func) or "").startswith("sklearn.")


def _trained(program: Program, loop: ast.For) -> str | None:
    """A network that is created before the loop and trained inside it: by ``fit``, or called for a loss."""
    known = network_names(program)
    for part in walk(loop):
        if not isinstance(part, ast.Call):
            continue
        fitted = dotted(part.func.value) if isinstance(part.func, ast.Attribute) and part.func.attr == "fit" else ""
        for name in (fitted, dotted(part.func), *(dotted(argument) for argument in part.args)):
            made = program.assignments.get(name, []) if name else []
            if made and name in known and all(one.lineno < loop.lineno for one in made) and _is_network(program, made):
                return name
    return None


def _is_network(program: Program, made: list[ast.Assign]) -> bool:
    """Whether what was assigned is a network, not an estimator of scikit-learn."""
    return not any(
        (program.names.qualified(one.value.func) or "").startswith("sklearn")
        for one in made
        if isinstance(one.value, ast.Call)
    )
