"""Recognizes arrows on road signs."""

import keras
import numpy as np
from keras import layers

from augmentation import build_augmentation
from signs import KINDS, SIZE, load


def build_classifier():
    images = keras.Input(shape=(SIZE, SIZE, 1))
    x = build_augmentation()(images)
    x = layers.Conv2D(16, 5, activation="relu")(x)
    x = layers.MaxPooling2D()(x)
    x = layers.Conv2D(32, 3, activation="relu")(x)
    x = layers.GlobalMaxPooling2D()(x)
    kinds = layers.Dense(len(KINDS), activation="softmax")(x)
    classifier = keras.Model(images, kinds)
    classifier.compile(
        optimizer=keras.optimizers.Adam(5e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    return classifier


def train(epochs=10):
    classifier = build_classifier()
    history = classifier.fit(*load(800, seed=2), batch_size=40, epochs=epochs, verbose=0)
    print("accuracy", " ".join("%.2f" % value for value in history.history["accuracy"]))
    return classifier


def confusion(classifier, images, labels):
    predicted = classifier.predict(images, verbose=0).argmax(axis=-1)
    table = np.zeros((len(KINDS), len(KINDS)), int)
    np.add.at(table, (labels, predicted), 1)
    return table


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    classifier = train()
    table = confusion(classifier, *load(400, seed=3))
    print("rows: true, columns: predicted", KINDS)
    print(table)
