"""shuffled-after-batching."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import swap_with_receiver
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, method_of, receiver_of


class ShuffledAfterBatching(Rule):
    """Batches are shuffled instead of samples, or the buffer for shuffling is too small.

    ## What it finds
    ``batch(…)`` before ``shuffle(…)`` in a ``tf.data`` pipeline for training, and a ``shuffle`` whose buffer is not
    larger than the batch.

    ## Why it hurts
    The samples of a batch always stay together. Data that are sorted, by class or by time, are never mixed.

    ## Example
    ```python
    dataset = dataset.batch(32).shuffle(1000)
    ```

    ## Use instead
    ```python
    dataset = dataset.shuffle(1000).batch(32)
    ```

    ## Known problems
    Batches that are shuffled on purpose, because samples were mixed before, are reported when that is not seen in
    the chain.

    ## Fix safety
    No fix is offered: calls change places.

    ## References
    TensorFlow documentation of ``tf.data.Dataset.shuffle``.
    """

    name = "shuffled-after-batching"
    severity = Severity.ADVICE
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = (".shuffle(",)
    faulty = (
        """\
import tensorflow as tf

def pipeline(x, y):
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(32).shuffle(1000).prefetch(1)
""",
        """\
import tensorflow as tf

def pipeline(x, y):
    dataset = tf.data.Dataset.from_tensor_slices((x, y))
    dataset = dataset.shuffle(16).batch(64)
    return dataset
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import tensorflow as tf

def pipeline(x, y):
    return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(32).prefetch(1)
""",
    }
    clean = (
        """\
import numpy as np
import tensorflow as tf

def pipeline(x, y):
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(32)
    rng = np.random.default_rng(0)
    rng.shuffle(x)
    return dataset.shuffle(len(x)).batch(64)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "tensorflow" not in program.names.roots:
            return
        for call in program.called("shuffle"):
            before = _chain(program, call)
            names = [method_of(one) for one in before]
            if not any(name in {"from_tensor_slices", "from_generator", "map", "batch", "zip"} for name in names):
                continue
            if "batch" in names and "unbatch" not in names and "shuffle" not in names:
                message = "this shuffles whole batches: call shuffle() before batch()"
                fix = suggested(swap_with_receiver(program, call)) if names[0] == "batch" else None
                yield self.finding(program, call, message, fix=fix)
            size, batch = _number(program, call, "buffer_size"), _batch_size(program, call)
            if size is not None and batch is not None and size <= batch:
                message = f"a buffer of {size} mixes within one batch of {batch} only: use the number of samples"
                yield self.finding(program, call, message)


def _chain(program: Program, call: ast.Call) -> list[ast.Call]:
    """The calls of a pipeline before this one, through names."""
    found: list[ast.Call] = []
    current = receiver_of(call)
    while current is not None and len(found) < 30:
        made = definition(program, current)
        if not isinstance(made, ast.Call):
            break
        found.append(made)
        current = receiver_of(made)
    return found


def _batch_size(program: Program, call: ast.Call) -> int | None:
    """The size of the batch that is made right after the shuffling."""
    attribute = program.parents.get(call)
    after = program.parents.get(attribute) if isinstance(attribute, ast.Attribute) else None
    return (
        _number(program, after, "batch_size") if isinstance(after, ast.Call) and method_of(after) == "batch" else None
    )


def _number(program: Program, call: ast.Call, name: str) -> int | None:
    given = keyword_of(call, name) or (call.args[0] if call.args else None)
    made = definition(program, given) if given is not None else None
    return made.value if isinstance(made, ast.Constant) and type(made.value) is int else None
