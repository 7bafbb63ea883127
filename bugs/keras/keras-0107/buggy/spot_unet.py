"""A U-Net whose depth and width can be chosen."""

import keras
from keras import layers


def convolutions(x, features):
    for _ in range(2):
        x = layers.Conv2D(features, 3, padding="same", activation="relu")(x)
    return x


def build_unet(shape, levels=4, features=8):
    """Encoder and decoder with one skip connection per level."""
    scan = keras.Input(shape=shape)
    x, skips = scan, []
    for level in range(levels - 1):
        x = convolutions(x, features * 2**level)
        skips.append(x)
        x = layers.MaxPooling2D(2)(x)
    x = convolutions(x, features * 2 ** (levels - 1))
    for level in reversed(range(levels - 1)):
        x = layers.Conv2DTranspose(features * 2**level, 3, strides=2, padding="same")(x)
        x = layers.Concatenate()([x, skips[level]])
        x = convolutions(x, features * 2**level)
    mask = layers.Conv2D(1, 1, activation="sigmoid")(x)
    return keras.Model(scan, mask, name="spot_unet")
