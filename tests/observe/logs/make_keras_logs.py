"""Writes ``recorded/keras``: what keras.callbacks.TensorBoard and CSVLogger log of a model that overfits.

Needs TensorFlow 2, such as in the stack tf2 (`bugloss env list --json` names its interpreter).
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import tensorflow as tf
from tensorflow import keras

FOLDER = Path(__file__).parent / "recorded" / "keras"


def main() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    tf.random.set_seed(0)
    chance = np.random.default_rng(0)
    points, labels = chance.normal(size=(60, 20)).astype("float32"), chance.integers(0, 2, 60)
    model = keras.Sequential([keras.layers.Dense(64, "relu", input_shape=(20,)), keras.layers.Dense(1, "sigmoid")])
    model.compile(keras.optimizers.Adam(0.02), "binary_crossentropy", ["accuracy"])
    FOLDER.mkdir(parents=True)
    logs = [
        keras.callbacks.TensorBoard(str(FOLDER), write_graph=False, update_freq="batch"),
        keras.callbacks.CSVLogger(str(FOLDER.parent / "keras-log.csv")),
    ]
    model.fit(points, labels, batch_size=10, epochs=25, validation_split=0.5, callbacks=logs, verbose=0)


if __name__ == "__main__":
    main()
