"""Screens tissue samples: thirty measurements each, benign (0) or malignant (1).

A one-dimensional convolution looks at neighbouring measurements together; the table has one row
per sample, and a second table of the same kind serves for evaluation.
"""

import keras
import numpy as np
from keras import layers

MEASUREMENTS = 30


def load_table(samples, seed):
    """Standardised measurements, one row per sample, and the diagnosis of each sample."""
    rng = np.random.default_rng(seed)
    diagnosis = (rng.random(samples) < 0.4).astype("float32")
    profile = np.sin(np.linspace(0.0, 3.0 * np.pi, MEASUREMENTS))
    shift = (diagnosis - 0.5)[:, None] * profile[None, :]
    table = shift + rng.normal(0.0, 0.7, (samples, MEASUREMENTS))
    return table.astype("float32"), diagnosis[:, None]


def build_model(input_shape):
    """A small convolutional network for one sample of the given shape."""
    model = keras.Sequential(
        [
            keras.Input(shape=input_shape),
            layers.Conv1D(4, 3, activation="relu"),
            layers.Flatten(),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    optimizer = keras.optimizers.SGD(learning_rate=0.05, momentum=0.9)
    model.compile(loss="binary_crossentropy", optimizer=optimizer, metrics=["accuracy"])
    return model


def screen():
    """Trains on one table and evaluates on the other; returns loss and accuracy."""
    features, diagnosis = load_table(569, seed=7)
    new_features, new_diagnosis = load_table(200, seed=8)
    model = build_model(features.shape)
    model.fit(features, diagnosis, epochs=6, batch_size=32, verbose=2)
    return model.evaluate(new_features, new_diagnosis, verbose=0)


def main():
    keras.utils.set_random_seed(7)
    loss, accuracy = screen()
    print("new samples: loss %.3f, accuracy %.2f%%" % (loss, 100 * accuracy))


if __name__ == "__main__":
    main()
