"""Learns to tell five kinds of little sketches apart.

The collection is put together one kind after the other, as it is loaded from one file per kind;
the last fifth of what goes into training is set aside by Keras for validation.
"""

import keras
import numpy as np
from keras import layers

SIDE = 12
PER_KIND = 120
KINDS = ["ring", "box", "cross", "slash", "dot"]


def draw(kind, rng):
    """One noisy sketch of the given kind, slightly off the middle."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] - (SIDE - 1) / 2.0 + rng.integers(-1, 2, (2, 1, 1))
    radius = np.hypot(rows, columns)
    ink = {
        "ring": np.abs(radius - 4.0) < 0.7,
        "box": np.abs(np.maximum(np.abs(rows), np.abs(columns)) - 4.0) < 0.7,
        "cross": np.minimum(np.abs(rows), np.abs(columns)) < 0.7,
        "slash": np.abs(rows + columns) < 1.2,
        "dot": radius < 2.5,
    }[kind]
    return np.clip(ink + rng.normal(0.0, 0.1, ink.shape), 0.0, 1.0)


def load_sketches(per_kind, rng):
    """Sketches of every kind as (count, side, side, 1) and their one-hot labels."""
    sketches = np.array([draw(kind, rng) for kind in KINDS for _ in range(per_kind)])
    labels = np.repeat(np.arange(len(KINDS)), per_kind)
    return sketches.astype("float32")[..., None], keras.utils.to_categorical(labels)


def build_model():
    """One convolution with pooling, then a dense head with one output per kind."""
    model = keras.Sequential(
        [
            keras.Input(shape=(SIDE, SIDE, 1)),
            layers.Conv2D(8, 3, activation="relu"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(32, activation="relu"),
            layers.Dense(len(KINDS), activation="softmax"),
        ]
    )
    optimizer = keras.optimizers.SGD(learning_rate=0.05, momentum=0.9)
    model.compile(optimizer=optimizer, loss="categorical_crossentropy", metrics=["accuracy"])
    return model


def train(seed=0, epochs=3):
    """Trains on a fresh collection; returns the model and its training history."""
    keras.utils.clear_session()
    keras.utils.set_random_seed(seed)
    sketches, labels = load_sketches(PER_KIND, np.random.default_rng(seed))
    order = np.random.permutation(len(sketches))
    sketches, labels = sketches[order], labels[order]
    model = build_model()
    history = model.fit(
        sketches, labels, batch_size=30, epochs=epochs, validation_split=0.2, verbose=0
    )
    return model, history


def recall_by_kind(model, seed=0):
    """For each kind, the share of new sketches that are recognised."""
    sketches, labels = load_sketches(40, np.random.default_rng(seed + 50_000))
    predicted = np.asarray(model(sketches, training=False)).argmax(axis=1)
    hits = predicted == labels.argmax(axis=1)
    return dict(zip(KINDS, hits.reshape(len(KINDS), -1).mean(axis=1).tolist()))


def main():
    model, history = train()
    for measure in ("accuracy", "val_accuracy"):
        print(measure, [round(value, 3) for value in history.history[measure]])
    print("recall on new sketches:", recall_by_kind(model))


if __name__ == "__main__":
    main()
