"""Sorts fruit on a conveyor belt into four kinds by small colour pictures.

The camera driver hands out pictures with the channels in the order blue, green, red and values from
0 to 255. Part of the pictures is kept aside to validate the network after every epoch.
"""

import keras
import numpy as np
from keras import layers

SIZE = 12
COLOURS = {
    "tomato": (30, 40, 200),
    "lime": (50, 190, 70),
    "plum": (150, 50, 90),
    "lemon": (60, 210, 220),
}


def take_pictures(count, rng):
    """Pictures of one round fruit on a grey belt, and the number of each fruit's kind."""
    kinds = rng.permutation(np.arange(count) % len(COLOURS))
    rows, columns = np.mgrid[0:SIZE, 0:SIZE]
    pictures = rng.normal(110.0, 20.0, size=(count, SIZE, SIZE, 3))
    for picture, kind in zip(pictures, kinds):
        centre = rng.uniform(4.0, SIZE - 5.0, size=2)
        inside = (rows - centre[0]) ** 2 + (columns - centre[1]) ** 2 < rng.uniform(6.0, 14.0)
        colour = np.array(list(COLOURS.values())[kind]) * rng.uniform(0.6, 1.2)
        picture[inside] = colour + rng.normal(0.0, 25.0, size=(inside.sum(), 3))
    return np.clip(pictures, 0, 255).astype("uint8"), kinds


def scale(pictures):
    """Pictures with values around zero."""
    return pictures.astype("float32") / 127.5 - 1.0


def to_rgb(pictures):
    """Scaled pictures with the channels in the order red, green, blue."""
    return scale(pictures[..., ::-1])


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(SIZE, SIZE, 3)),
            layers.Conv2D(8, 3, activation="relu"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(16, activation="relu"),
            layers.Dense(len(COLOURS), activation="softmax"),
        ]
    )
    optimizer = keras.optimizers.Adam(learning_rate=0.003)
    model.compile(optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def train(seed=0, epochs=8, verbose=0):
    """Trains on 480 pictures and validates on 160; returns the history of the epochs."""
    keras.utils.set_random_seed(seed)
    pictures, kinds = take_pictures(640, np.random.default_rng(seed))
    x_train, y_train = to_rgb(pictures[:480]), kinds[:480]
    x_val, y_val = to_rgb(pictures[480:]), kinds[480:]
    return build_model().fit(
        x_train,
        y_train,
        batch_size=40,
        epochs=epochs,
        validation_data=(x_val, y_val),
        verbose=verbose,
    )


if __name__ == "__main__":
    history = train(verbose=2).history
    print("training accuracy %.3f" % history["accuracy"][-1])
    print("validation accuracy %.3f" % history["val_accuracy"][-1])
