"""Reads scanned pen glyphs (five signs on a 10x10 grid) with a small CNN."""

import numpy as np
from keras import backend as K
from keras.layers import Conv2D, Dense, Flatten, MaxPooling2D
from keras.models import Sequential

SIZE = 10
SIGNS = ["bar", "stem", "cross", "slash", "box"]


def draw(sign, rng):
    """One scan with values from 0 to 255: a white sign on dark, noisy paper."""
    page = rng.uniform(0, 60, size=(SIZE, SIZE))
    top, left = rng.randint(1, 3, size=2)
    rows, columns = slice(top, top + 7), slice(left, left + 7)
    ink = rng.uniform(180, 255)
    if sign in (0, 2):
        page[top + 3, columns] = ink
    if sign in (1, 2):
        page[rows, left + 3] = ink
    if sign == 3:
        page[np.arange(top, top + 7), np.arange(left, left + 7)] = ink
    if sign == 4:
        page[[top, top + 6], columns] = ink
        page[rows, left] = ink
        page[rows, left + 6] = ink
    return page.astype("uint8")


def load_data(rng, train_count=300, test_count=200):
    y_train = rng.randint(len(SIGNS), size=train_count)
    y_test = rng.randint(len(SIGNS), size=test_count)
    x_train = np.array([draw(sign, rng) for sign in y_train])
    x_test = np.array([draw(sign, rng) for sign in y_test])
    return (x_train, y_train), (x_test, y_test)


def prepare(rng):
    """Scales the data and adds the channel axis that Conv2D asks for."""
    (x_train, y_train), (x_test, y_test) = load_data(rng)
    x_train = x_train / 255
    x_test = x_test / 255
    x_train = x_train.reshape(-1, SIZE, SIZE, 1)
    x_test = x_test.reshape(-1, SIZE, SIZE, 1)
    return (x_train, y_train), (x_test, y_test)


def build_model():
    model = Sequential([
        Conv2D(8, (3, 3), padding="same", activation="relu", input_shape=(SIZE, SIZE, 1)),
        MaxPooling2D(pool_size=(2, 2)),
        Flatten(),
        Dense(32, activation="relu"),
        Dense(len(SIGNS), activation="softmax"),
    ])
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def train(seed, epochs=8, verbose=0):
    """Returns the loss and the accuracy on scans that were not trained on."""
    K.clear_session()
    np.random.seed(seed)
    (x_train, y_train), (x_test, y_test) = prepare(np.random.RandomState(seed))
    model = build_model()
    model.fit(x_train, y_train, batch_size=16, epochs=epochs, verbose=verbose)
    return model.evaluate(x_test, y_test, verbose=0)


if __name__ == "__main__":
    loss, accuracy = train(seed=0, verbose=2)
    print("test loss %.4f, test accuracy %.3f" % (loss, accuracy))
