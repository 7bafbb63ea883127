"""Reads signal flags from a buoy camera: four flags on pictures of 12 x 12 grey pixels.

The pictures stream through a ``tf.data`` pipeline; a part of the stream is kept for validation.
"""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

SIZE = 12
FLAGS = ("bar", "cross", "frame", "corner")
TRAINING, VALIDATION = 1200, 200
BATCH = 40


def draw_flag(flag, rng):
    """A picture with one flag somewhere on it, behind noise."""
    picture = np.zeros((SIZE, SIZE))
    top, left = rng.integers(0, 5, size=2)
    area = picture[top : top + 7, left : left + 7]
    if flag in ("bar", "cross"):
        area[3, :] = 1.0
    if flag == "cross":
        area[:, 3] = 1.0
    if flag == "frame":
        area[:, [0, -1]] = 1.0
    if flag in ("frame", "corner"):
        area[0, :] = 1.0
    if flag == "corner":
        area[:, 0] = 1.0
    return picture * rng.uniform(0.7, 1.3) + rng.normal(0.0, 0.2, size=picture.shape)


def stream(rng):
    """A data set of (picture, number of the flag), one sample at a time."""
    labels = rng.integers(len(FLAGS), size=TRAINING + VALIDATION)
    pictures = np.stack([draw_flag(FLAGS[label], rng) for label in labels])
    return tf.data.Dataset.from_tensor_slices((pictures[..., None].astype("float32"), labels))


def split(samples, seed):
    """An endless stream of shuffled batches to train on, and batches to validate with."""
    validation = samples.take(VALIDATION).batch(100)
    training = samples.skip(VALIDATION).take(TRAINING // BATCH)
    return training.shuffle(TRAINING, seed=seed).repeat().batch(BATCH), validation


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(SIZE, SIZE, 1)),
            layers.Conv2D(12, 3, activation="relu"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(24, activation="relu"),
            layers.Dense(len(FLAGS), activation="softmax"),
        ]
    )
    optimizer = keras.optimizers.Adam(learning_rate=0.003)
    model.compile(optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def train(seed=0, epochs=10, verbose=0):
    keras.utils.set_random_seed(seed)
    training, validation = split(stream(np.random.default_rng(seed)), seed)
    model = build_model()
    history = model.fit(
        training,
        steps_per_epoch=TRAINING // BATCH,
        epochs=epochs,
        validation_data=validation,
        verbose=verbose,
    )
    return history.history


if __name__ == "__main__":
    history = train(verbose=2)
    print("loss %.4f, validation loss %.4f" % (history["loss"][-1], history["val_loss"][-1]))
