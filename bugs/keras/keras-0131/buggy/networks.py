"""Refiner and discriminator for strokes, and the model that trains the refiner."""

import keras
from keras import layers

from pen_strokes import POINTS


def build_refiner():
    """Adds a learned correction to a simulated stroke."""
    stroke = keras.Input(shape=(POINTS,))
    x = layers.Dense(48, activation="relu")(stroke)
    x = layers.Dense(48, activation="relu")(x)
    correction = layers.Dense(POINTS)(x)
    return keras.Model(stroke, layers.Add()([stroke, correction]), name="refiner")


def build_discriminator():
    return keras.Sequential(
        [
            keras.Input(shape=(POINTS,)),
            layers.Dense(48),
            layers.LeakyReLU(negative_slope=0.2),
            layers.Dense(24),
            layers.LeakyReLU(negative_slope=0.2),
            layers.Dense(1, activation="sigmoid"),
        ],
        name="discriminator",
    )


def build_all():
    """The three compiled models; in the combined one only the refiner learns."""
    refiner, discriminator = build_refiner(), build_discriminator()
    discriminator.compile(optimizer=keras.optimizers.Adam(0.002, beta_1=0.5), loss="binary_crossentropy")

    discriminator.trainable = False
    stroke = keras.Input(shape=(POINTS,))
    combined = keras.Model(stroke, discriminator(refiner(stroke)), name="combined")
    combined.compile(optimizer=keras.optimizers.Adam(0.002, beta_1=0.5), loss="binary_crossentropy")
    return refiner, discriminator, combined
