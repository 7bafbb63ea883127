"""Reads scanned two-letter words with a convolutional network."""

import keras
from keras import layers

from word_images import HEIGHT, WIDTH, WORDS, load


def build_reader():
    reader = keras.Sequential(
        [
            keras.Input(shape=(HEIGHT, WIDTH, 1)),
            layers.Conv2D(16, kernel_size=(2, 2), activation="relu"),
            layers.MaxPooling2D(pool_size=(3, 3)),
            layers.Conv2D(32, kernel_size=(2, 2), activation="relu"),
            layers.MaxPooling2D(pool_size=(5, 12)),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
            layers.Dense(len(WORDS), activation="softmax"),
        ]
    )
    reader.compile(
        optimizer=keras.optimizers.Nadam(learning_rate=0.003),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return reader


def train(epochs=6):
    images, labels = load(1200, seed=1)
    reader = build_reader()
    history = reader.fit(images, labels, batch_size=40, epochs=epochs, verbose=0)
    print("accuracy", " ".join("%.2f" % value for value in history.history["accuracy"]))
    return reader


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    reader = train()
    reader.summary()
    print("new scans: loss %.2f, accuracy %.2f" % tuple(reader.evaluate(*load(400, seed=2), verbose=0)))
