"""Reads the pictogram on parcels: five signs on pictures of 12 x 12 grey pixels.

A convolutional network with dropout in front of its dense layers, so that four in five units take
part in each step. 250 pictures are kept for validation.
"""

import keras
import numpy as np
from keras import layers

SIZE = 12
SIGNS = ("arrow", "box", "cross", "bars", "dot")
KEEP = 0.8


def draw(sign, rng):
    """One sign of 7 x 7 pixels, somewhere on the picture."""
    area = np.zeros((7, 7))
    if sign == "arrow":
        area[:, 3] = area[1, 2:5] = area[2, [1, 5]] = 1.0
    elif sign == "box":
        area[[0, -1], :] = area[:, [0, -1]] = 1.0
    elif sign == "cross":
        area[np.arange(7), np.arange(7)] = area[np.arange(7), 6 - np.arange(7)] = 1.0
    elif sign == "bars":
        area[:, ::2] = 1.0
    else:
        area[2:5, 2:5] = 1.0
    top, left = rng.integers(1, 5, size=2)
    return np.pad(area, ((top, 5 - top), (left, 5 - left)))


def load_parcels(count, rng):
    """Pictures of random signs with uneven light and noise, and the number of each sign."""
    labels = rng.permutation(np.arange(count) % len(SIGNS))
    pictures = np.stack([draw(SIGNS[label], rng) for label in labels])
    pictures = pictures * rng.uniform(0.6, 1.2, size=(count, 1, 1))
    pictures = pictures + rng.normal(0.0, 0.2, size=pictures.shape)
    return pictures[..., None].astype("float32"), labels


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(SIZE, SIZE, 1)),
            layers.Conv2D(12, 3, activation="relu"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dropout(1.0 - KEEP),
            layers.Dense(32, activation="relu"),
            layers.Dropout(1.0 - KEEP),
            layers.Dense(len(SIGNS), activation="softmax"),
        ]
    )
    optimizer = keras.optimizers.Adam(learning_rate=0.003)
    model.compile(optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def train(seed=0, epochs=8, verbose=0):
    """Trains on 1000 parcels; returns the history with the validation of every epoch."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    pictures, labels = load_parcels(1000, rng)
    return build_model().fit(
        pictures,
        labels,
        batch_size=50,
        epochs=epochs,
        validation_data=load_parcels(250, rng),
        verbose=verbose,
    )


if __name__ == "__main__":
    accuracies = train(verbose=2).history["val_accuracy"]
    reached = [epoch for epoch, accuracy in enumerate(accuracies, 1) if accuracy >= 0.9]
    print("epochs needed for 90 percent:", reached[0] if reached else "more than 8")
