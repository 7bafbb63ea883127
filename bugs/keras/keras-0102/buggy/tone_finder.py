"""Finds out which of three tones a short complex signal contains.

Radio samples are complex numbers, so the first layers are complex too: they keep a real and an
imaginary part of every weight, and work on signals of shape (batch, samples, 2).
"""

import keras
import numpy as np
from keras import layers, ops

SAMPLES = 16
TONES = (0.10, 0.17, 0.26)


class ComplexDense(layers.Layer):
    """A dense layer whose inputs, weights and outputs are complex numbers."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        size = (input_shape[1], self.units)
        self.w_r = self.add_weight("kernel_r", shape=size, initializer="glorot_uniform")
        self.w_i = self.add_weight("kernel_i", shape=size, initializer="glorot_uniform")

    def call(self, inputs):
        real, imaginary = inputs[..., 0], inputs[..., 1]
        out_r = ops.matmul(real, self.w_r) - ops.matmul(imaginary, self.w_i)
        out_i = ops.matmul(real, self.w_i) + ops.matmul(imaginary, self.w_r)
        return ops.stack([out_r, out_i], axis=-1)


class Modulus(layers.Layer):
    """The absolute value of complex numbers."""

    def call(self, inputs):
        return ops.sqrt(ops.sum(ops.square(inputs), axis=-1) + 1e-6)


def make_signals(count, seed=0):
    rng = np.random.default_rng(seed)
    tone = rng.integers(len(TONES), size=count)
    phase = rng.uniform(0.0, 2.0 * np.pi, (count, 1))
    turns = np.array(TONES)[tone, None] * np.arange(SAMPLES)
    signal = np.exp(1j * (2.0 * np.pi * turns + phase))
    signals = np.stack([signal.real, signal.imag], axis=-1) + rng.normal(0.0, 0.3, (count, SAMPLES, 2))
    return signals.astype("float32"), tone


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(SAMPLES, 2)),
            ComplexDense(15),
            Modulus(),
            layers.Dense(len(TONES), activation="softmax"),
        ]
    )
    model.compile(optimizer=keras.optimizers.Adam(0.02), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    keras.utils.set_random_seed(0)
    model = build_model()
    model.fit(*make_signals(400), batch_size=40, epochs=4, verbose=0)
    loss, accuracy = model.evaluate(*make_signals(200, seed=1), verbose=0)
    print("loss %.3f, accuracy %.3f" % (loss, accuracy))


if __name__ == "__main__":
    main()
