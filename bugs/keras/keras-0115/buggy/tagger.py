"""A transformer with one block that gives every word a tag."""

import keras
from keras import layers

from commands import LENGTH, TAGS, VOCABULARY
from positions import AddPositions


def block(x, width, heads):
    y = layers.MultiHeadAttention(heads, width // heads)(x, x)
    x = layers.LayerNormalization()(layers.Add()([x, y]))
    y = layers.Dense(2 * width, activation="gelu")(x)
    y = layers.Dense(width)(y)
    return layers.LayerNormalization()(layers.Add()([x, y]))


def build_tagger(width=16, heads=2):
    words = keras.Input(shape=(LENGTH,), dtype="int32")
    x = layers.Embedding(VOCABULARY, width)(words)
    x = AddPositions(LENGTH, width)(x)
    x = block(x, width, heads)
    # The probabilities are float32: the loss is computed from them.
    tags = layers.Dense(TAGS, activation="softmax", dtype="float32")(x)
    return keras.Model(words, tags)
