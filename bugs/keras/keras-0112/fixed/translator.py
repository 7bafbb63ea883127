"""An encoder that reads a date in both directions, and a decoder that starts from its states."""

import keras
from keras import layers

from dates import LETTERS

EMBEDDING = 16
UNITS = 32


def encode(text):
    """The final states of both directions, side by side."""
    x = layers.Embedding(len(LETTERS), EMBEDDING)(text)
    reader = layers.Bidirectional(layers.LSTM(UNITS, return_state=True))
    _, forward_h, forward_c, backward_h, backward_c = reader(x)
    return [
        layers.Concatenate()([forward_h, backward_h]),
        layers.Concatenate()([forward_c, backward_c]),
    ]


def build_translator():
    source = keras.Input(shape=(None,), dtype="int32", name="written")
    shifted = keras.Input(shape=(None,), dtype="int32", name="so_far")
    states = encode(source)
    x = layers.Embedding(len(LETTERS), EMBEDDING)(shifted)
    x = layers.LSTM(2 * UNITS, return_sequences=True)(x, initial_state=states)
    letter = layers.Dense(len(LETTERS), activation="softmax")(x)
    return keras.Model([source, shifted], letter)
