"""Trains on hand signs, keeps the best epoch and tests it."""

import os
import tempfile

from keras.callbacks import ModelCheckpoint
from keras.layers import Conv2D, Dense, Flatten, MaxPooling2D
from keras.models import Sequential, load_model
from keras.optimizers import SGD
from keras.utils import np_utils

from signs import hand_signs


def cnn_model(path):
    model = Sequential()
    model.add(Conv2D(8, (2, 2), input_shape=(14, 14, 1), activation="relu"))
    model.add(MaxPooling2D(pool_size=(2, 2)))
    model.add(Flatten())
    model.add(Dense(16, activation="relu"))
    model.add(Dense(3, activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer=SGD(lr=1e-2), metrics=["accuracy"])
    checkpoint = ModelCheckpoint(path, monitor="val_acc", verbose=1, save_best_only=True, mode="max")
    return model, [checkpoint]


def train(path, epochs=4):
    x, sign = hand_signs(240, seed=0)
    validation = hand_signs(80, seed=1)
    model, callbacks = cnn_model(path)
    model.fit(x, np_utils.to_categorical(sign, 3),
              validation_data=(validation[0], np_utils.to_categorical(validation[1], 3)),
              epochs=epochs, batch_size=20, callbacks=callbacks, verbose=0)


def test(path):
    x, sign = hand_signs(100, seed=2)
    model = load_model(path)
    return model.evaluate(x, np_utils.to_categorical(sign, 3), verbose=0)[1]


def main():
    path = os.path.join(tempfile.mkdtemp(), "cnn_model_keras.h5")
    train(path)
    print("accuracy of the best epoch %.2f" % test(path))


if __name__ == "__main__":
    main()
