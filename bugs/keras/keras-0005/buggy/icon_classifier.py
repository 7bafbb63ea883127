"""Sorts little grey-scale icons into six folders' worth of classes.

Every class has its own base icon; the pictures of a class are that icon, shifted and noisy, as a
scanner would deliver them.
"""

import keras
import numpy as np
from keras import layers

SIDE = 32
CLASSES = 6


def make_icons(per_class, seed=0):
    """Icons as (count, side, side, 1) in random order, with one-hot labels."""
    rng = np.random.default_rng(seed)
    coarse = rng.random((CLASSES, 8, 8)) > 0.5
    base = np.kron(coarse, np.ones((SIDE // 8, SIDE // 8)))
    labels = rng.permutation(np.repeat(np.arange(CLASSES), per_class))
    shifts = rng.integers(-1, 2, (len(labels), 2))
    icons = np.array([np.roll(base[k], shift, axis=(0, 1)) for k, shift in zip(labels, shifts)])
    icons = icons + rng.normal(0.0, 0.1, icons.shape)
    return icons.astype("float32")[..., None], keras.utils.to_categorical(labels, CLASSES)


def build_model():
    """One strided convolution with pooling and a softmax over the classes."""
    return keras.Sequential(
        [
            keras.Input(shape=(SIDE, SIDE, 1)),
            layers.Conv2D(16, 5, strides=3),
            layers.Activation("relu"),
            layers.MaxPooling2D(pool_size=3, strides=2),
            layers.Dense(CLASSES, activation="softmax"),
        ]
    )


def train(epochs=4):
    """Trains on 60 icons of each class; returns model, training and validation data."""
    icons, labels = make_icons(per_class=80)
    split = 60 * CLASSES
    model = build_model()
    optimizer = keras.optimizers.SGD(learning_rate=0.05, momentum=0.9)
    model.compile(loss="categorical_crossentropy", optimizer=optimizer, metrics=["accuracy"])
    model.fit(icons[:split], labels[:split], batch_size=32, epochs=epochs, verbose=2)
    return model, icons[split:], labels[split:]


def main():
    keras.utils.set_random_seed(0)
    model, icons, labels = train()
    loss, accuracy = model.evaluate(icons, labels, verbose=0)
    print("held-out loss %.3f, accuracy %.3f" % (loss, accuracy))


if __name__ == "__main__":
    main()
