import keras
from keras import ops


class AttentionPool(keras.layers.Layer):
    """Weighted mean over time with learned relevance scores."""

    def __init__(self, units=32, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        features = input_shape[-1]
        self.proj = self.add_weight("proj", shape=(features, self.units),
                                    initializer="glorot_uniform")
        self.bias = self.add_weight("bias", shape=(self.units,), initializer="zeros")
        self.query = self.add_weight("query", shape=(self.units, 1),
                                     initializer="glorot_uniform")

    def call(self, inputs):
        hidden = ops.tanh(ops.matmul(inputs, self.proj) + self.bias)
        weights = ops.softmax(ops.matmul(hidden, self.query), axis=1)
        return ops.sum(weights * inputs, axis=1)

    def compute_output_shape(self, input_shape):
        return input_shape[0], input_shape[-1]

    def get_config(self):
        return {**super().get_config(), "units": self.units}
