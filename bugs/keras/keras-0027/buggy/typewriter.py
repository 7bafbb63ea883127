"""Recognises letters on worn typewriter pages: six letters on a grid of 8 x 8 grey pixels.

Four wide hidden layers between the pixels and one score per letter; pixels lie between -1 and 1.
"""

import keras
import numpy as np
from keras import layers

LETTERS = {
    "A": ("00111100", "01100110", "01100110", "01111110", "01100110", "01100110"),
    "C": ("00111110", "01100000", "01100000", "01100000", "01100000", "00111110"),
    "E": ("01111110", "01100000", "01111100", "01100000", "01100000", "01111110"),
    "H": ("01100110", "01100110", "01111110", "01100110", "01100110", "01100110"),
    "L": ("01100000", "01100000", "01100000", "01100000", "01100000", "01111110"),
    "T": ("01111110", "00011000", "00011000", "00011000", "00011000", "00011000"),
}


def type_letters(count, rng):
    """Pictures of random letters, shifted by a row and with faded ink, and their numbers."""
    labels = rng.integers(len(LETTERS), size=count)
    shapes = np.array([[[int(dot) for dot in row] for row in rows] for rows in LETTERS.values()])
    pictures = np.zeros((count, 8, 8))
    for picture, label, top in zip(pictures, labels, rng.integers(3, size=count)):
        picture[top : top + 6] = shapes[label] * rng.uniform(0.5, 1.0)
    pictures = np.clip(2.0 * pictures - 1.0 + rng.normal(0.0, 0.3, pictures.shape), -1.0, 1.0)
    return pictures.reshape(count, 64).astype("float32"), labels


def hidden_layer(units):
    initializer = keras.initializers.TruncatedNormal(stddev=1.0)
    return layers.Dense(units, activation="relu", kernel_initializer=initializer)


def build_model():
    model = keras.Sequential([keras.Input(shape=(64,))])
    for units in (128, 128, 128, 64):
        model.add(hidden_layer(units))
    model.add(layers.Dense(len(LETTERS)))
    model.compile(
        optimizer=keras.optimizers.SGD(learning_rate=0.1),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def train(seed=0, epochs=8, verbose=0):
    """Returns the losses of the epochs and the accuracy on 300 new pictures."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    pictures, labels = type_letters(1200, rng)
    model = build_model()
    history = model.fit(pictures, labels, batch_size=60, epochs=epochs, verbose=verbose)
    pictures, labels = type_letters(300, rng)
    read = np.asarray(model(pictures)).argmax(axis=1)
    return history.history["loss"], float((read == labels).mean())


if __name__ == "__main__":
    _, accuracy = train(verbose=2)
    print("letters read correctly: %.1f percent" % (100.0 * accuracy))
