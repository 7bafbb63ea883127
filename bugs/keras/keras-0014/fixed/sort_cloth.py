"""Sorts pictures of cloth by the direction of its threads, with a small CNN."""

import numpy as np
from keras import backend as K
from keras.layers import Conv2D, Dense, Flatten, MaxPooling2D
from keras.models import Sequential
from keras.utils import to_categorical

BATCH_SIZE = 10
EPOCHS = 8

SIZE = 12
DIRECTIONS = [(1.3, 0.0), (0.0, 1.3), (0.9, 0.9), (0.9, -0.9)]


def load_data(count, rng):
    """Grey pictures with values from 0 to 1, in random order, and their one-hot classes."""
    labels = rng.permutation(count) % len(DIRECTIONS)
    down, right = np.array(DIRECTIONS)[labels].T.reshape(2, count, 1, 1)
    rows, columns = np.mgrid[0:SIZE, 0:SIZE]
    threads = np.sin(down * rows + right * columns + rng.uniform(0, 2 * np.pi, size=(count, 1, 1)))
    images = rng.uniform(0.4, 0.6, size=(count, 1, 1)) + 0.35 * threads
    images += rng.normal(scale=0.1, size=images.shape)
    return np.clip(images, 0.0, 1.0)[..., np.newaxis], to_categorical(labels)


def build_model():
    model = Sequential()
    model.add(Conv2D(8, (3, 3), activation="relu", input_shape=(SIZE, SIZE, 1)))
    model.add(MaxPooling2D(pool_size=(2, 2)))
    model.add(Conv2D(16, (3, 3), activation="relu"))
    model.add(Flatten())
    model.add(Dense(len(DIRECTIONS), activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


def train(seed, verbose=0):
    """Trains on 400 pictures; returns the loss and the accuracy on 200 others."""
    K.clear_session()
    np.random.seed(seed)
    rng = np.random.RandomState(seed)
    x_train, y_train = load_data(400, rng)
    x_test, y_test = load_data(200, rng)
    model = build_model()
    model.fit(x_train, y_train, batch_size=BATCH_SIZE, epochs=EPOCHS, verbose=verbose)
    return model.evaluate(x_test, y_test, verbose=0)


if __name__ == "__main__":
    loss, accuracy = train(seed=0, verbose=2)
    print("test loss %.4f, test accuracy %.3f" % (loss, accuracy))
