"""A layer written with operations of every backend."""

import keras
import numpy as np
from keras import layers, ops


class Attention(layers.Layer):
    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[-1], 1), initializer="glorot_uniform", name="kernel")

    def call(self, inputs):
        scores = ops.softmax(ops.matmul(ops.tanh(inputs), self.kernel), axis=1)
        return ops.sum(inputs * scores, axis=1)


keras.utils.set_random_seed(0)
inputs = keras.Input((6, 5))
outputs = layers.Dense(1)(Attention()(layers.GRU(8, return_sequences=True)(inputs)))
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.AdamW(1e-3), loss=keras.losses.MeanSquaredError())
model.fit(np.random.rand(64, 6, 5), np.random.rand(64, 1), epochs=2)
