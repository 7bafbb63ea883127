"""Tells from the words of a library visitor's question to which of four desks it belongs.

The questions were filed by volunteers, and one in eight lies in the wrong folder.
"""

import keras
import numpy as np
from keras import layers

DESKS = ("loans", "local history", "children", "computers")
WORDS = 400
LENGTH = 16

OPTIONS = {
    "embedding_size": 32,
    "hidden_size": 48,
    "dropout": 0.5,
    "recurrent_dropout": 0.0,
    "learning_rate": 0.005,
}


def collect_questions(count, rng):
    """Numbers of the words of ``count`` questions, and the desk under which each was filed."""
    desks = rng.integers(len(DESKS), size=count)
    common = rng.integers(WORDS, size=(count, LENGTH))
    own = 60 * desks[:, None] + rng.integers(60, size=(count, LENGTH))
    words = np.where(rng.random((count, LENGTH)) < 0.3, own, common)
    misfiled = rng.random(count) < 0.125
    filed = np.where(misfiled, rng.integers(len(DESKS), size=count), desks)
    return words, filed


def dropout(noise_shape=None):
    """What stands between the layers that learn."""
    return layers.Dropout(OPTIONS["recurrent_dropout"], noise_shape=noise_shape)


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(LENGTH,), dtype="int32"),
            layers.Embedding(WORDS, OPTIONS["embedding_size"]),
            dropout(noise_shape=(None, LENGTH, 1)),  # leaves out whole words
            layers.GlobalAveragePooling1D(),
            dropout(),
            layers.Dense(OPTIONS["hidden_size"], activation="relu"),
            dropout(),
            layers.Dense(len(DESKS), activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=OPTIONS["learning_rate"]),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def train(seed=0, epochs=16, verbose=0):
    """Trains on 480 questions and validates on 300 others; returns the history."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    words, desks = collect_questions(480, rng)
    history = build_model().fit(
        words,
        desks,
        batch_size=32,
        epochs=epochs,
        validation_data=collect_questions(300, rng),
        validation_batch_size=300,
        verbose=verbose,
    )
    return history.history


if __name__ == "__main__":
    history = train(verbose=2)
    print("validation loss: best %.3f, last %.3f" % (min(history["val_loss"]), history["val_loss"][-1]))
