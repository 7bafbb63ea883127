"""Provokes one crash after another and prints each as a line of JSON; runs in the stack ``keras3``."""

import json
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np
import tensorflow as tf
from keras import layers


def fit(width, loss, labels):
    model = keras.Sequential([keras.Input((4,)), layers.Dense(width, activation="softmax")])
    model.compile("sgd", loss)
    model.fit(np.zeros((len(labels), 4), "float32"), labels, verbose=0)


def disconnected():
    one, other = keras.Input((3,)), keras.Input((3,))
    keras.Model(one, layers.Dense(2)(other))


CRASHES = {
    "input-axis-mismatch": lambda: keras.Sequential([keras.Input((4,)), layers.Dense(2)]).predict(
        np.zeros((3, 5)), verbose=0
    ),
    "input-rank-mismatch": lambda: keras.Sequential([keras.Input((3,)), layers.LSTM(4)]),
    "window-larger-than-input": lambda: keras.Sequential([keras.Input((3, 3, 1)), layers.Conv2D(8, 5)]),
    "target-output-mismatch": lambda: fit(10, "categorical_crossentropy", np.zeros((8, 1))),
    "label-out-of-range": lambda: fit(3, "sparse_categorical_crossentropy", np.full((8,), 3)),
    "reshape-size-mismatch": lambda: layers.Reshape((3, 3))(keras.Input((8,))),
    "disconnected-graph": disconnected,
    "lists-for-arrays": lambda: fit(2, "mse", [[0.0, 1.0]] * 4),
    "not-compiled": lambda: keras.Sequential([keras.Input((4,)), layers.Dense(2)]).fit(
        np.zeros((2, 4)), np.zeros((2, 2))
    ),
    "unknown-identifier": lambda: layers.Dense(2, activation="rellu"),
    "wrong-keyword": lambda: keras.optimizers.Adam(lr=0.1),
    "removed-api": lambda: keras.Sequential().fit_generator,
    "matrix-size-mismatch": lambda: tf.matmul(tf.zeros((3, 4)), tf.zeros((5, 6))),
    "dtypes-differ": lambda: tf.zeros((3,)) + tf.zeros((3,), tf.float64),
    "elementwise-mismatch": lambda: tf.zeros((3, 4)) + tf.zeros((3, 5)),
}

for cause, crash in CRASHES.items():
    try:
        crash()
    except Exception as error:
        print(json.dumps([cause, type(error).__name__, str(error)]))
    else:
        print(json.dumps([cause, "", "nothing was raised"]))
