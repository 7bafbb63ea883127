import keras
from keras import layers, ops


@keras.saving.register_keras_serializable()
class AttentionPooling(layers.Layer):
    """Weighted mean over the time axis with learned scores."""

    def __init__(self, units=16, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[1], self.units), initializer="glorot_uniform", name="kernel")
        self.bias = self.add_weight(shape=(self.units,), initializer="zeros", name="bias")
        self.query = self.add_weight(shape=(self.units, 1), initializer="glorot_uniform", name="query")

    def call(self, inputs):
        hidden = ops.tanh(ops.matmul(inputs, self.kernel) + self.bias)
        weights = ops.softmax(ops.matmul(hidden, self.query), axis=1)
        return ops.sum(inputs * weights, axis=1)

    def compute_output_shape(self, input_shape):
        return (input_shape[0], input_shape[-1])

    def get_config(self):
        return {**super().get_config(), "units": self.units}
