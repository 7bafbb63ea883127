"""Trains the recognition of hand gestures."""

import workspace  # noqa: F401, I001 - has to come before Keras

import keras
import numpy as np
from keras import layers

from gestures import CHANNELS, COLUMNS, GESTURES, ROWS, load


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(ROWS, COLUMNS, CHANNELS)),
            layers.Conv2D(8, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(16, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(len(GESTURES), activation="softmax"),
        ]
    )
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
    return model


def main():
    keras.utils.set_random_seed(0)
    model = build_model()
    model.fit(*load(300, seed=0), batch_size=20, epochs=3, verbose=0)
    images, labels = load(100, seed=1)
    found = model.predict(images, verbose=0).argmax(axis=-1)
    print("recognized: %.2f" % np.mean(found == labels))


if __name__ == "__main__":
    main()
