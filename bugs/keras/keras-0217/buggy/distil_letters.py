"""Trains a large network on letters and a small one on its answers."""

import os
import tempfile

import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from keras.utils import to_categorical

import letter_file


def network(width):
    model = Sequential([
        Dense(width, activation="relu", input_shape=(36,)),
        Dense(letter_file.LETTERS, activation="softmax"),
    ])
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    return model


def load(path):
    images, labels = letter_file.read(path)
    return images, to_categorical(labels, letter_file.LETTERS)


def main():
    path = os.path.join(tempfile.mkdtemp(), "letters.mat")
    letter_file.write(path)
    x, y = load(path)
    teacher, pupil = network(64), network(8)
    teacher.fit(x, y, epochs=8, verbose=0)
    pupil.fit(x, teacher.predict(x), epochs=20, verbose=0)
    agree = np.mean(teacher.predict_classes(x) == pupil.predict_classes(x))
    print("teacher %.2f, pupil agrees with it %.2f" % (teacher.evaluate(x, y, verbose=0)[1], agree))


if __name__ == "__main__":
    main()
