"""unadapted-normalization."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, keyword_of, spreads, targets_of


class UnadaptedNormalization(Rule):
    """A preprocessing layer is never adapted to the data.

    ## What it finds
    A Keras ``Normalization``, ``Discretization``, ``TextVectorization``, ``StringLookup`` or ``IntegerLookup``
    layer that is created without its statistics or vocabulary and whose ``adapt`` is never called.

    ## Why it hurts
    Without ``adapt`` a ``Normalization`` layer has mean 0 and variance 1 and passes its input on unchanged, so the
    network trains on unscaled features. The lookup layers map every string to the unknown token.

    ## Example
    ```python
    scaler = layers.Normalization()
    model = keras.Sequential([scaler, layers.Dense(8), layers.Dense(1)])
    ```

    ## Use instead
    ```python
    scaler = layers.Normalization()
    scaler.adapt(x_train)
    model = keras.Sequential([scaler, layers.Dense(8), layers.Dense(1)])
    ```

    ## Known problems
    A layer that is adapted in another file is reported if it is bound to a name here that is never passed on.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    Keras documentation of ``keras.layers.Normalization``.
    """

    name = "unadapted-normalization"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("Normalization(", "Discretization(", "TextVectorization(", "Lookup(")
    faulty = (
        """\
import keras
from keras import layers

scaler = layers.Normalization(axis=-1)
model = keras.Sequential([scaler, layers.Dense(8, activation="relu"), layers.Dense(1)])
model.compile(loss="mse")
model.fit(x, y)
""",
        """\
from tensorflow import keras

def build():
    inputs = keras.Input((4,))
    h = keras.layers.Normalization()(inputs)
    return keras.Model(inputs, keras.layers.Dense(1)(h))
""",
    )
    clean = (
        """\
import keras
from keras import layers

scaler = layers.Normalization(axis=-1)
scaler.adapt(x)
fixed = layers.Normalization(mean=0.5, variance=2.0)
words = layers.StringLookup(vocabulary=["a", "b"])
hidden = layers.BatchNormalization()
""",
        """\
import keras

def make(data):
    scaler = keras.layers.Normalization()
    prepare(scaler, data)
    return scaler
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.called("load_weights", "load_model", "set_weights"):
            return
        adapted = {dotted(call.func).rpartition(".")[0] for call in program.called("adapt")}
        for call in program.called(*_ADAPTED):
            name = program.names.qualified(call.func) or ""
            if not name.startswith("keras.layers.") or spreads(call) or _is_given(call):
                continue
            bound = _bound_to(program, call)
            if bound is None or bound in adapted or any(bound.split(".")[-1] == one.split(".")[-1] for one in adapted):
                continue
            if not _may_be_adapted_elsewhere(program, bound, call):
                subject = bound or call.func.attr if isinstance(call.func, ast.Attribute) else bound or name
                message = f"{subject} is never adapted to data, so it changes nothing: call adapt(training_data) first"
                yield self.finding(program, call, message)


_ADAPTED = {
    "Normalization": ("mean", "variance"),
    "Discretization": ("bin_boundaries",),
    "TextVectorization": ("vocabulary",),
    "StringLookup": ("vocabulary",),
    "IntegerLookup": ("vocabulary",),
}


def _is_given(call: ast.Call) -> bool:
    """Whether the statistics or the vocabulary are passed when the layer is created."""
    short = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return any(keyword_of(call, keyword) is not None for keyword in _ADAPTED[short])


def _bound_to(program: Program, call: ast.Call) -> str | None:
    """The name that the layer gets, nothing where it is used at once, None where it goes to a list or a function."""
    parent = program.parents.get(call)
    if isinstance(parent, ast.Call) and parent.func is call:
        return ""
    if isinstance(parent, ast.Assign):
        return dotted(targets_of(parent)[0]) or None
    inside = program.enclosing(call, ast.Call)
    sequential = isinstance(inside, ast.Call) and (program.names.qualified(inside.func) or "") == "keras.Sequential"
    return "" if sequential and isinstance(parent, ast.List) else None


def _may_be_adapted_elsewhere(program: Program, bound: str, call: ast.Call) -> bool:
    """Whether the layer is passed to a function, returned or stored, so that somebody else may adapt it."""
    if not bound:
        return False
    for node in program.nodes[ast.Name]:
        if not isinstance(node, ast.Name) or node.id != bound.split(".")[0] or not isinstance(node.ctx, ast.Load):
            continue
        parent = program.parents.get(node)
        if isinstance(parent, ast.Return):
            return True
        if isinstance(parent, ast.Call) and node in parent.args and not _makes_network(program, parent):
            return True
    return bound.startswith("self.")


def _makes_network(program: Program, call: ast.Call) -> bool:
    name = program.names.qualified(call.func) or ""
    return name.startswith("keras.") or (isinstance(call.func, ast.Attribute) and call.func.attr == "add")
