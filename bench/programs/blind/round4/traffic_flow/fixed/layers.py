import keras
from keras import ops


class TimeAttention(keras.layers.Layer):
    """Scores every time step, then sums the projected steps by their weight."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.project = self.add_weight(shape=(input_shape[-1], self.units), initializer="glorot_uniform", name="project")
        self.bias = self.add_weight(shape=(self.units,), initializer="zeros", name="bias")
        self.score = self.add_weight(shape=(self.units, 1), initializer="glorot_uniform", name="score")

    def call(self, x):
        h = ops.tanh(ops.matmul(x, self.project) + self.bias)
        weights = ops.softmax(ops.matmul(h, self.score), axis=1)
        return ops.sum(weights * h, axis=1)

    def compute_output_shape(self, input_shape):
        return (input_shape[0], self.units)
