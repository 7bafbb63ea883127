"""scaled-labels."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import Encoding, spellings
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.semantics.dtypes import is_integral
from bugloss.source.values.values import Operation, Tensor, number_of

_LABELS = re.compile(r"^(y|labels?|targets?)(_(train|test|val|valid))?$|^(train|test|val)_(y|labels?|targets?)$")
_CLASSIFYING = (*spellings(lambda row: row.classifies and row.targets is Encoding.CLASS_NUMBERS), "to_categorical")


class ScaledLabels(Rule):
    """Class labels are divided by 255 as if they were pixels.

    ## What it finds
    A division by 255 (or 256) of known class indices, or of a variable named as labels in a file that trains a
    classifier, if its values are integers, one per sample.

    ## Why it hurts
    All labels become small fractions. A sparse loss truncates them to class 0, so the network learns that everything
    is class 0.

    ## Example
    ```python
    x_train = x_train / 255
    y_train = y_train / 255
    ```

    ## Use instead
    ```python
    x_train = x_train / 255
    x_test = x_test / 255
    ```

    ## Known problems
    Targets that are images themselves (segmentation, autoencoders) have more than one axis and are not reported.

    ## Fix safety
    No fix is offered: often the line is intended for other data.

    ## References
    Humbatova and others: Taxonomy of real faults in deep learning systems, ICSE 2020 (wrong preprocessing of
    labels).
    """

    name = "scaled-labels"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("255", "256")
    faulty = (
        """\
import keras

(x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
x, y = x / 255, y / 255
""",
        """\
import numpy as np
from keras.models import Sequential

def prepare(rng, x_train):
    y_train = np.random.randint(5, size=100)
    return x_train / 255, y_train / 255

def build(model):
    model.compile(loss="sparse_categorical_crossentropy")
""",
    )
    clean = (
        """\
import keras

(x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
x, x_test = x / 255, x_test / 255
""",
        """\
import keras

def prepare(x, y):
    return x / 255, y / 255
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("operator.div"):
            labels, divisor = operation.positional
            if number_of(divisor) not in {255, 256} or not isinstance(labels, Tensor):
                continue
            if "class-ids" in labels.facts or _named_as_labels(program, operation, labels):
                yield self.finding(program, operation.node, "class labels are divided by 255 as if they were pixels")


def _named_as_labels(program: Program, operation: Operation, labels: Tensor) -> bool:
    node = operation.node.left if isinstance(operation.node, ast.BinOp) else None
    if not isinstance(node, ast.Name) or not _LABELS.match(node.id) or not program.mentions(_CLASSIFYING):
        return False
    return labels.rank == 1 and is_integral(labels.dtype)
