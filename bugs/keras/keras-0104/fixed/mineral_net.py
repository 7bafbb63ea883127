"""Recognises minerals by their spectra with a network that also returns an embedding.

The first output is a unit vector that a margin loss pulls towards the vector of its mineral, the
second one the probability of each mineral.
"""

import keras
import numpy as np
from keras import layers, ops

CHANNELS = 64
MINERALS = 4
EMBEDDING = 8


def make_spectra(count, seed=0):
    """Spectra with three lines for each mineral, noise and a sloping background."""
    lines = np.random.default_rng(99).uniform(4, CHANNELS - 4, (MINERALS, 3))
    rng = np.random.default_rng(seed)
    mineral = rng.integers(MINERALS, size=count)
    channel = np.arange(CHANNELS)
    peaks = np.exp(-0.5 * ((channel - lines[mineral][..., None]) / 1.5) ** 2)
    height = rng.uniform(0.5, 1.5, (count, 3, 1))
    slope = rng.normal(0.0, 0.3, (count, 1)) * channel / CHANNELS
    spectra = (height * peaks).sum(axis=1) + slope + rng.normal(0.0, 0.1, (count, CHANNELS))
    return spectra.astype("float32"), keras.utils.to_categorical(mineral, MINERALS)


class UnitLength(layers.Layer):
    def call(self, inputs):
        return inputs / (ops.norm(inputs, axis=-1, keepdims=True) + 1e-6)


def margin_loss(anchors, margin=0.4):
    """Cosine to the anchor of the own mineral, compared with the closest other one."""

    def loss(true, embedding):
        cosine = ops.matmul(embedding, ops.transpose(anchors))
        own = ops.sum(true * cosine, axis=-1)
        other = ops.max(cosine - 2.0 * true, axis=-1)
        return ops.mean(ops.relu(margin + other - own))

    return loss


def build_model():
    spectrum = keras.Input(shape=(CHANNELS,))
    x = layers.Reshape((CHANNELS, 1))(spectrum)
    x = layers.Conv1D(8, 5, activation="relu")(x)
    x = layers.MaxPooling1D(2)(x)
    x = layers.Dense(32, activation="relu")(layers.Flatten()(x))
    embedding = UnitLength(name="embedding")(layers.Dense(EMBEDDING)(x))
    mineral = layers.Dense(MINERALS, activation="softmax", name="mineral")(x)
    return keras.Model(spectrum, [embedding, mineral])


def train(epochs=4):
    spectra, minerals = make_spectra(240)
    anchors = ops.eye(MINERALS, EMBEDDING)
    model = build_model()
    model.compile(
        optimizer=keras.optimizers.Adam(0.01),
        loss=[margin_loss(anchors), "categorical_crossentropy"],
        loss_weights=[0.5, 0.5],
        metrics=[None, keras.metrics.CategoricalAccuracy(name="accuracy")],
    )
    history = model.fit(spectra, [minerals, minerals], batch_size=24, epochs=epochs, verbose=0)
    return model, history.history


def main():
    keras.utils.set_random_seed(0)
    model, history = train()
    print({name: round(values[-1], 3) for name, values in history.items()})


if __name__ == "__main__":
    main()
