from __future__ import print_function

import numpy as np
import tensorflow as tf
from keras.layers import Conv2D, Dense, Dropout, Flatten, MaxPooling2D
from keras.models import Sequential
from keras.optimizers import Adam
from keras.utils import to_categorical

FRUITS = ["apple", "lemon", "plum", "pear", "kiwi", "orange", "lime", "cherry"]
COLOURS = np.array([[0.8, 0.1, 0.1], [0.9, 0.9, 0.2], [0.5, 0.1, 0.5], [0.7, 0.8, 0.2],
                    [0.5, 0.4, 0.2], [0.9, 0.6, 0.1], [0.3, 0.7, 0.2], [0.7, 0.0, 0.2]])
SHAPES = np.array([[6.5, 6.5], [4.5, 6.5], [5.5, 5.0], [7.5, 5.0], [5.0, 6.0], [6.0, 6.0], [4.5, 5.5], [3.5, 3.5]])
SIZE = 20
EPOCHS = 16
BATCH_SIZE = 64


def photo(kind, rng):
    yy, xx = np.mgrid[0:SIZE, 0:SIZE]
    cy, cx = rng.uniform(8, 12, size=2)
    ry, rx = SHAPES[kind] * rng.uniform(0.8, 1.2)
    inside = ((yy - cy) / ry) ** 2 + ((xx - cx) / rx) ** 2 < 1
    img = np.ones((SIZE, SIZE, 3)) * rng.uniform(0.2, 0.9, size=3)
    img[inside] = COLOURS[kind] * rng.uniform(0.6, 1.2) + rng.normal(0, 0.08, size=3)
    return np.clip(img + rng.normal(0, 0.15, img.shape), 0, 1)


def load_fruits(n, seed):
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, len(FRUITS), size=n)
    images = np.stack([photo(k, rng) for k in labels]).astype("float32")
    return images, to_categorical(labels, len(FRUITS))


def build_model():
    model = Sequential()
    model.add(Conv2D(16, (3, 3), activation="relu", input_shape=(SIZE, SIZE, 3)))
    model.add(MaxPooling2D((2, 2)))
    model.add(Conv2D(32, (3, 3), activation="relu"))
    model.add(MaxPooling2D((2, 2)))
    model.add(Flatten())
    model.add(Dense(64, activation="relu"))
    model.add(Dropout(0.3))
    model.add(Dense(len(FRUITS), activation="softmax"))
    model.compile(loss="binary_crossentropy", optimizer=Adam(lr=1e-3), metrics=["accuracy"])
    return model


def main():
    np.random.seed(0)
    tf.set_random_seed(0)
    x_train, y_train = load_fruits(2000, seed=1)
    x_test, y_test = load_fruits(500, seed=2)
    print("training images:", x_train.shape, "labels:", y_train.shape)

    model = build_model()
    model.summary()
    model.fit(x_train, y_train, batch_size=BATCH_SIZE, epochs=EPOCHS, validation_split=0.1, verbose=2)
    loss, acc = model.evaluate(x_test, y_test, verbose=0)
    print("test loss: %.4f" % loss)
    print("test accuracy: %.4f" % acc)


if __name__ == "__main__":
    main()
