"""Healthy Keras programs: what was recorded while they ran must raise no alarm.

Each is run by name, with the probe, in an environment that has Keras 3; the recording is kept beside this file::

    python src/bugloss/probes/observe '{"events": "classifier.jsonl"}' tests/observe/healthy/keras_programs.py classifier
    gzip -9n classifier.jsonl && mv classifier.jsonl.gz tests/observe/healthy/keras-classifier.jsonl.gz
"""

from __future__ import annotations

import sys
from typing import Any

import keras
import numpy as np
from keras import layers

random = np.random.default_rng(0)


def clusters(count: int = 800, width: int = 20, classes: int = 5) -> tuple[Any, Any]:
    centres = random.normal(size=(classes, width))
    labels = random.integers(0, classes, count)
    return (centres[labels] + random.normal(size=(count, width))).astype("float32"), labels


def dense(width: int, outputs: int, activation: str | None, *, depth: int = 1, dropout: float = 0.0) -> Any:
    model = keras.Sequential([keras.Input((width,))])
    for _ in range(depth):
        model.add(layers.Dense(64, activation="relu"))
        if dropout:
            model.add(layers.BatchNormalization())
            model.add(layers.Dropout(dropout))
    model.add(layers.Dense(outputs, activation=activation))
    return model


def fit(
    model: Any, data: tuple[Any, Any], loss: str, *, rate: float = 3e-3, metric: str = "accuracy", **given: Any
) -> None:
    model.compile(optimizer=keras.optimizers.Adam(rate), loss=loss, metrics=[metric])
    model.fit(*data, **{"epochs": 8, "batch_size": 32, "validation_split": 0.2, "verbose": 0, **given})


def classifier() -> None:
    fit(dense(20, 5, "softmax"), clusters(), "sparse_categorical_crossentropy")


def binary() -> None:
    fit(dense(20, 1, "sigmoid"), clusters(classes=2), "binary_crossentropy")


def dropout_classifier() -> None:
    fit(dense(20, 5, "softmax", depth=2, dropout=0.4), clusters(), "sparse_categorical_crossentropy", epochs=10)


def regression() -> None:
    inputs = random.normal(size=(800, 8)).astype("float32")
    targets = np.sin(inputs.sum(1, keepdims=True)) + 0.1 * random.normal(size=(800, 1))
    fit(dense(8, 1, None, depth=2), (inputs, targets), "mse", metric="mae", epochs=20)


def whole_batch() -> None:
    fit(dense(20, 5, "softmax"), clusters(400), "sparse_categorical_crossentropy", rate=1e-2, epochs=40, batch_size=400)


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    globals()[sys.argv[1]]()
