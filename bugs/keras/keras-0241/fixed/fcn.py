"""A small fully convolutional network."""

import keras
from keras import layers

from scenes import CLASSES, SIDE


def build_fcn(filters=12):
    images = keras.Input(shape=(SIDE, SIDE, 3))
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(images)
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    classes = layers.Conv2D(CLASSES, 1, activation="softmax")(x)
    return keras.Model(images, classes)
