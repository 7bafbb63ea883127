"""Trains a small classifier of vibration patterns in half precision, to save memory on the edge device."""

import keras
import numpy as np
from keras import layers

CLASSES = 4
FEATURES = 24

keras.config.set_dtype_policy("float16")


def make_patterns(count, seed):
    """Patterns of four kinds of machine state."""
    rng = np.random.default_rng(seed)
    state = rng.integers(CLASSES, size=count)
    centres = np.random.default_rng(3).normal(0.0, 1.0, (CLASSES, FEATURES))
    patterns = centres[state] + rng.normal(0.0, 0.8, (count, FEATURES))
    return patterns.astype("float16"), state


def build_classifier():
    model = keras.Sequential(
        [
            keras.Input(shape=(FEATURES,)),
            layers.Dense(48, activation="relu"),
            layers.Dense(24, activation="relu"),
            layers.Dense(CLASSES),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.002, epsilon=1e-4),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def main(seed=0):
    """Accuracy on patterns of another shift."""
    model = build_classifier()
    history = model.fit(*make_patterns(600, seed), batch_size=32, epochs=6, verbose=0)
    print("loss", " ".join("%.3f" % loss for loss in history.history["loss"]))
    patterns, state = make_patterns(300, seed + 500)
    predicted = np.asarray(model(patterns)).argmax(axis=-1)
    return float(np.mean(predicted == state))


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    print("accuracy %.3f" % main())
