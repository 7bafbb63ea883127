"""Reads the digits of a meter with a convolutional network."""

from keras.layers import Convolution2D, Dense, Dropout, Flatten, MaxPooling2D
from keras.models import Sequential
from keras.utils import np_utils

from segments import COLUMNS, ROWS, readings

IMAGE_SHAPE = (ROWS, COLUMNS, 1)


def prepare(images):
    return images.reshape((len(images),) + IMAGE_SHAPE).astype("float32")


def build():
    model = Sequential()
    model.add(Convolution2D(16, (3, 3), activation="relu", input_shape=IMAGE_SHAPE))
    model.add(Convolution2D(16, (3, 3), activation="relu"))
    model.add(MaxPooling2D(pool_size=(2, 2)))
    model.add(Dropout(0.25))
    model.add(Flatten())
    model.add(Dense(10, activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


def main():
    images, digit = readings(400)
    model = build()
    model.fit(prepare(images), np_utils.to_categorical(digit, 10), batch_size=20, epochs=8, verbose=0)
    images, digit = readings(100, seed=1)
    print("accuracy %.2f" % model.evaluate(prepare(images), np_utils.to_categorical(digit, 10), verbose=0)[1])


if __name__ == "__main__":
    main()
