"""renamed-history-key."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.check.releases.removal import keras_release_of
from bugloss.check.releases.requirement import parse_version
from bugloss.core.finding import Finding, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program

_SPELLED_OUT = (2, 3)
_SHORT = {"acc": "accuracy", "val_acc": "val_accuracy"}


class RenamedHistoryKey(Rule):
    """A metric is read from the history under a key that does not exist.

    ## What it finds
    ``history.history["acc"]`` in a program whose models are compiled with ``metrics=["accuracy"]``, or vice versa.

    ## Why it hurts
    Since Keras 2.3 and TensorFlow 2 a metric is stored under the name it was given; before, ``"accuracy"`` was
    shortened to ``"acc"``. The wrong key raises a KeyError after the whole training.

    ## Example
    ```python
    model.compile("adam", "mse", metrics=["accuracy"])
    history = model.fit(x, y)
    plt.plot(history.history["acc"])
    ```

    ## Use instead
    ```python
    plt.plot(history.history["accuracy"])
    ```

    ## Known problems
    Files whose metrics are not a list of plain names are not checked.

    ## Fix safety
    Safe: the metric is stored under this key only.

    ## References
    Keras 2.3.0 release notes; Stack Overflow 51006505.
    """

    name = "renamed-history-key"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.VERSIONING
    groups = ("version",)
    words = ("history",)
    faulty = (
        """\
import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["accuracy"])
history = model.fit(x, y)
print(history.history["acc"], history.history['val_acc'])
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["accuracy"])
history = model.fit(x, y)
print(history.history["accuracy"], history.history["val_accuracy"])
""",
    }
    clean = (
        """\
import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["acc"])
history = model.fit(x, y)
print(history.history["acc"])
""",
        """\
import keras

model = make_model()
history = model.fit(x, y)
print(history.history["acc"])
""",
        """\
import keras

model.compile("adam", "mse", metrics=["accuracy"])
logs = {"history": {"acc": 1}}
print(logs["history"]["acc"])
""",
        """\
import keras

model.compile("adam", "mse", metrics=["accuracy"])
history = model.fit(x, y).history
print(history["acc"] if "acc" in history else history["accuracy"])
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "keras" not in program.frameworks:
            return
        release = keras_release_of(program, "keras" if "keras" in program.names.roots else "tensorflow.keras")
        if parse_version(release.version) < _SPELLED_OUT or _metrics(program) != {"accuracy"}:
            return
        for node in program.nodes[ast.Subscript]:
            key = _key_of_history(node)
            if key is not None and key.value in _SHORT and not _is_tested_for(program, str(key.value)):
                new = _SHORT[str(key.value)]
                message = f"the history has no '{key.value}': metrics=['accuracy'] is stored as '{new}' since Keras 2.3"
                fix = replace_node(program, key, f'"{new}"', f"read '{new}'", Safety.SAFE)
                severity = None if release.known else Severity.ADVICE
                yield self.finding(program, key, message, fix=fix, severity=severity)


def _key_of_history(node: ast.AST) -> ast.Constant | None:
    """The text key of ``something.history[...]``."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return None
    owner = node.value
    return node.slice if isinstance(owner, ast.Attribute) and owner.attr == "history" else None


def _metrics(program: Program) -> set[str]:
    """The names in every ``metrics=[…]`` of a compile call; "?" for what is not a plain name."""
    found: set[str] = set()
    for operation in program.methods("compile"):
        keywords = operation.node.keywords if isinstance(operation.node, ast.Call) else []
        for metrics in (keyword.value for keyword in keywords if keyword.arg == "metrics"):
            items = metrics.elts if isinstance(metrics, (ast.List, ast.Tuple)) else [metrics]
            found |= {str(item.value) if isinstance(item, ast.Constant) else "?" for item in items}
    return found


def _is_tested_for(program: Program, key: str) -> bool:
    """Whether the file tests for the key before it reads it."""
    return f"'{key}' in " in program.source.text or f'"{key}" in ' in program.source.text
