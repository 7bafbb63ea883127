"""disconnected-input."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.semantics.keras_models import flat
from bugloss.source.values.values import Constant, Items, Layer, Model, Tensor


class DisconnectedInput(Rule):
    """An input of a Keras model is not connected to its outputs.

    ## What it finds
    A functional model whose outputs depend on an ``Input`` that is not in its inputs, or whose inputs contain an
    ``Input`` that the outputs do not depend on.

    ## Why it hurts
    A missing input raises "graph disconnected". An unconnected input is fed and ignored: the model cannot learn from
    it.

    ## Example
    ```python
    a, b = keras.Input((4,)), keras.Input((4,))
    model = keras.Model([a, b], layers.Dense(1)(a))
    ```

    ## Use instead
    ```python
    joined = layers.concatenate([a, b])
    model = keras.Model([a, b], layers.Dense(1)(joined))
    ```

    ## Known problems
    Models whose graph cannot be followed back from the outputs are not reported.

    ## Fix safety
    No fix is offered: only the author knows the missing connection.

    ## References
    The row disconnected of the catalogue; NeuraLint (Nikanjam et al., 2021).
    """

    name = "disconnected-input"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ()
    words = ("Input",)
    faulty = (
        """\
import keras
from keras import layers

a = keras.Input(shape=(4,))
b = keras.Input(shape=(4,))
model = keras.Model([a, b], layers.Dense(1)(a))
""",
        """\
import keras
from keras import layers

a = keras.Input(shape=(4,))
b = keras.Input(shape=(4,))
model = keras.Model(a, layers.Dense(1)(layers.concatenate([a, b])))
""",
    )
    clean = (
        """\
import keras
from keras import layers

a = keras.Input(shape=(4,))
b = keras.Input(shape=(4,))
model = keras.Model([a, b], layers.Dense(1)(layers.concatenate([a, b])))
encoder = keras.Model(a, layers.Dense(2)(a))
""",
        """\
import keras
from keras import layers
from blocks import attend

a = keras.Input(shape=(4,))
b = keras.Input(shape=(4,))
model = keras.Model([a, b], layers.Dense(1)(attend(a, b)))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for model in program.models:
            if model.style != "functional" or not model.complete or not model.inputs or "pretrained" in model.facts:
                continue
            roots, known = _roots(model)
            listed = {id(value) for value in model.inputs}
            if any(id(root) not in listed for root in roots):
                yield self.finding(
                    program, model.node, "the outputs depend on an Input that is not in the inputs of the model"
                )
            for given in model.inputs:
                unused = all(given is not root for root in roots) and id(given) not in program.remembered(_used)
                if known and given.made_by == "keras.Input" and unused:
                    place = given.node or model.node
                    yield self.finding(
                        program, place, "this Input is not connected to the outputs", severity=Severity.WARNING
                    )


def _used(program: Program) -> set[int]:
    """The ids of what anything but a model takes: a loss layer may use an input without passing it on."""
    return {
        id(part)
        for operation in program.operations
        if operation.name != "keras.Model"
        for value in (*operation.positional, *operation.keywords.values())
        for part in flat(value)
    }


def _roots(model: Model) -> tuple[list[Tensor], bool]:
    """The inputs that the outputs go back to, and whether every way back could be followed."""
    listed = {id(value) for value in model.inputs}
    roots: dict[int, Tensor] = {}
    known, seen, waiting = True, set[int](), list(model.outputs)
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Tensor) and (value.made_by == "keras.Input" or id(value) in listed):
            roots[id(value)] = value
        elif isinstance(value, Tensor) and value.inputs and value.made_by not in {None, "unknown"}:
            waiting += value.inputs
        elif isinstance(value, Items):
            waiting += value.items
        elif not isinstance(value, (Layer, Constant, Model)):
            known = False
    return list(roots.values()), known
