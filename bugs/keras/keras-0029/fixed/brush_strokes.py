"""Finds the direction of brush strokes on small grey pictures with a network that uses batch norm.

Pictures are 12 x 12 pixels with values from 0 to 1. The network is validated on 200 other pictures
after every epoch.
"""

import keras
import numpy as np
from keras import layers

SIZE = 12
DIRECTIONS = ("across", "down", "rising", "falling")
MOMENTUM = 0.9


def paint(count, rng):
    """Pictures full of parallel strokes and the number of their direction."""
    labels = rng.integers(len(DIRECTIONS), size=count)
    rows, columns = np.mgrid[0:SIZE, 0:SIZE]
    along = np.stack([rows, columns, rows + columns, rows - columns])[labels]
    width = rng.uniform(0.5, 0.8, size=(count, 1, 1))
    phase = rng.uniform(0.0, 6.3, size=(count, 1, 1))
    strokes = 0.5 + 0.3 * np.sin(along / width + phase)
    pictures = np.clip(strokes + rng.normal(0.0, 0.25, strokes.shape), 0.0, 1.0)
    return pictures[..., None].astype("float32"), labels


def convolution(x, filters):
    """A convolution, its normalisation over the batch, and the activation."""
    x = layers.Conv2D(filters, 3, use_bias=False)(x)
    x = layers.BatchNormalization(momentum=MOMENTUM)(x)
    return layers.Activation("relu")(x)


def build_model():
    inputs = keras.Input(shape=(SIZE, SIZE, 1))
    x = convolution(inputs, 8)
    x = layers.MaxPooling2D(2)(x)
    x = convolution(x, 16)
    x = layers.GlobalAveragePooling2D()(x)
    outputs = layers.Dense(len(DIRECTIONS), activation="softmax")(x)
    model = keras.Model(inputs, outputs)
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.005),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def train(seed=0, epochs=7, verbose=0):
    """Trains on 900 pictures; returns the history with the validation of every epoch."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    pictures, labels = paint(900, rng)
    history = build_model().fit(
        pictures,
        labels,
        batch_size=30,
        epochs=epochs,
        validation_data=paint(200, rng),
        verbose=verbose,
    )
    return history.history


if __name__ == "__main__":
    history = train(verbose=2)
    print("accuracy: training %.2f" % history["accuracy"][-1])
    print("accuracy: validation %.2f" % history["val_accuracy"][-1])
