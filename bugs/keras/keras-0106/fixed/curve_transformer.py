"""A transformer encoder for short recordings of one sensor."""

import keras
from keras import layers

from engine_data import KINDS, STEPS


def encoder_block(x, heads, width, dropout):
    """Self-attention and a feed-forward part, each with a residual connection."""
    y = layers.LayerNormalization(epsilon=1e-6)(x)
    y = layers.MultiHeadAttention(heads, width // heads, dropout=dropout)(y, y)
    x = layers.Add()([x, y])
    y = layers.LayerNormalization(epsilon=1e-6)(x)
    y = layers.Dense(2 * width, activation="relu")(y)
    y = layers.Dense(width)(y)
    return layers.Add()([x, y])


class StepEmbedding(layers.Layer):
    """Adds a learned vector for each step of the recording."""

    def build(self, shape):
        self.table = self.add_weight(shape=shape[1:], initializer="uniform", name="table")

    def call(self, x):
        return x + self.table


def build_transformer(width=24, heads=2, blocks=1, dropout=0.05):
    curve = keras.Input(shape=(STEPS, 1))
    x = layers.Dense(width, name="project")(curve)
    x = StepEmbedding()(x)
    for _ in range(blocks):
        x = encoder_block(x, heads, width, dropout)
    x = layers.GlobalAveragePooling1D()(x)
    x = layers.Dense(24, activation="relu")(x)
    kind = layers.Dense(len(KINDS), activation="softmax")(x)
    return keras.Model(curve, kind)
