"""index-beyond-embedding."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.semantics.keras_models import fed_data
from bugloss.source.training.keras_fits import fits
from bugloss.source.values.values import Layer, Tensor


class IndexBeyondEmbedding(Rule):
    """Indices are larger than the embedding has rows.

    ## What it finds
    Indices whose range is known (a vocabulary size given to ``load_data``, ``randint``) and that reach the number of
    rows of an ``Embedding``.

    ## Why it hurts
    PyTorch stops with "index out of range in self" (on a GPU with a device assertion); Keras returns zeros on a GPU
    without a word.

    ## Example
    ```python
    (x, y), _ = keras.datasets.imdb.load_data(num_words=10000)
    model.add(layers.Embedding(5000, 64))
    ```

    ## Use instead
    ```python
    (x, y), _ = keras.datasets.imdb.load_data(num_words=10000)
    model.add(layers.Embedding(10000, 64))
    ```

    ## Known problems
    Indices whose range is not known are not looked at.

    ## Fix safety
    Suggested: the embedding gets as many rows as there are indices.

    ## References
    PyTorch documentation, nn.Embedding.
    """

    name = "index-beyond-embedding"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.LAYER_DIMENSION
    groups = ("model", "shapeflow")
    words = ("Embedding",)
    faulty = (
        """\
import torch
from torch import nn

embedding = nn.Embedding(100, 8)
tokens = torch.randint(0, 120, (4, 10))
vectors = embedding(tokens)
""",
        """\
import keras
from keras import layers

(x, y), _ = keras.datasets.imdb.load_data(num_words=10000)
x = keras.preprocessing.sequence.pad_sequences(x, maxlen=100)
model = keras.Sequential([layers.Embedding(5000, 16), layers.LSTM(8), layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(x, y)
""",
    )
    clean = (
        """\
import torch
from torch import nn

embedding = nn.Embedding(120, 8)
tokens = torch.randint(0, 120, (4, 10))
vectors = embedding(tokens)
""",
        """\
import keras
from keras import layers

(x, y), _ = keras.datasets.imdb.load_data(num_words=5000)
x = keras.preprocessing.sequence.pad_sequences(x, maxlen=100)
model = keras.Sequential([layers.Embedding(5000, 16), layers.LSTM(8), layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(x, y)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        seen: set[int] = set()
        for layer, value in _lookups(program):
            rows = layer.integer("num_embeddings") or layer.integer("input_dim")
            highest = value.interval.high
            if rows is not None and rows <= highest < float("inf") and id(layer.node) not in seen:
                seen.add(id(layer.node))
                message = f"indices go up to {highest:.0f}, but the embedding has {rows} rows (0 to {rows - 1})"
                given = argument_node(layer.node, 0, "num_embeddings", "input_dim")
                text = f"{highest + 1:.0f}"
                fix = replace_node(program, given, text, f"{text} rows") if isinstance(given, ast.Constant) else None
                yield self.finding(program, layer.node, message, fix=fix, layer=layer.name)


def _lookups(program: Program) -> Iterator[tuple[Layer, Tensor]]:
    """Embeddings with the indices that they are applied to, or that ``fit`` gives to a network that starts with one."""
    for operation in program.all_calls("apply torch.nn.Embedding", "apply keras.layers.Embedding"):
        layer, value = operation.receiver, operation.argument(0)
        if isinstance(layer, Layer) and isinstance(value, Tensor):
            yield layer, value
    for fit in fits(program):
        value = fed_data(fit.argument("x"))[0]
        first = fit.model.layers[0] if fit.model is not None and fit.model.layers else None
        if first is not None and first.name == "Embedding" and isinstance(value, Tensor):
            yield first, value
