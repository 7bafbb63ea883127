"""Tells metal sheets brushed lengthwise from sheets brushed crosswise.

Each picture is a 16 x 16 grey-scale patch with values between 0 and 1: stripes of a random
width and position, running along or across the sheet, with noise from the camera.
"""

import keras
import numpy as np
from keras import layers

SIDE = 16


def make_patches(count, rng):
    """Patches in random order with one-hot labels (lengthwise, crosswise)."""
    lengthwise = rng.random(count) < 0.5
    width = rng.uniform(4.0, 7.0, (count, 1))
    shift = rng.uniform(0.0, 2.0 * np.pi, (count, 1))
    wave = 0.5 + 0.5 * np.sin(2.0 * np.pi * np.arange(SIDE) / width + shift)
    stripes = np.where(lengthwise[:, None, None], wave[:, :, None], wave[:, None, :])
    patches = stripes + rng.normal(0.0, 0.1, (count, SIDE, SIDE))
    labels = np.stack([lengthwise, ~lengthwise], axis=1).astype("float32")
    return np.clip(patches, 0.0, 1.0).astype("float32")[..., None], labels


def build_model():
    """Two convolutions, pooling and a dense head with one output per class."""
    model = keras.Sequential(
        [
            keras.Input(shape=(SIDE, SIDE, 1)),
            layers.Conv2D(8, 3, activation="relu"),
            layers.Conv2D(8, 3, activation="relu"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(32, activation="relu"),
            layers.Dense(2, activation="softmax"),
        ]
    )
    optimizer = keras.optimizers.SGD(learning_rate=0.5, momentum=0.9, nesterov=True)
    model.compile(loss="categorical_crossentropy", optimizer=optimizer)
    return model


def train(seed=0, epochs=4):
    """Trains on 320 patches; returns the model and its training history."""
    keras.utils.clear_session()
    keras.utils.set_random_seed(seed)
    patches, labels = make_patches(320, np.random.default_rng(seed))
    model = build_model()
    history = model.fit(patches, labels, batch_size=32, epochs=epochs, verbose=0)
    return model, history


def accuracy(model, seed=0):
    """Share of unseen patches whose brushing direction is recognised."""
    patches, labels = make_patches(400, np.random.default_rng(seed + 50_000))
    predicted = np.asarray(model(patches, training=False)).argmax(axis=1)
    return float((predicted == labels.argmax(axis=1)).mean())


def main():
    model, history = train()
    print("loss per epoch:", [round(loss, 4) for loss in history.history["loss"]])
    print("accuracy on new patches: %.2f" % accuracy(model))


if __name__ == "__main__":
    main()
