"""The network that looks at a wrapping."""

import keras
from keras import layers

from camera import SIDE


def build_net(classes):
    photograph = keras.Input(shape=(SIDE, SIDE, 1))
    x = layers.Conv2D(8, 3, padding="same", activation="relu")(photograph)
    x = layers.MaxPooling2D()(x)
    x = layers.Conv2D(16, 3, padding="same", activation="relu")(x)
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(photograph, layers.Dense(classes, activation="softmax")(x))
