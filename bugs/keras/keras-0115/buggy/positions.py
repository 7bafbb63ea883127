"""Sine and cosine waves that mark the place of a word."""

import numpy as np
import tensorflow as tf
from keras import layers


def wave_table(length, width):
    place = np.arange(length)[:, None]
    rate = 1.0 / 1000.0 ** (np.arange(0, width, 2) / width)
    table = np.zeros((length, width), "float32")
    table[:, 0::2] = np.sin(place * rate)
    table[:, 1::2] = np.cos(place * rate)
    return table


class AddPositions(layers.Layer):
    """Adds the table to embedded words."""

    def __init__(self, length, width, **settings):
        super().__init__(**settings)
        self.table = tf.constant(wave_table(length, width))

    def call(self, x):
        return tf.add(x, self.table)
