"""Layers shared by the heart-beat models."""
import keras
from keras import layers, ops


@keras.saving.register_keras_serializable(package="ecg")
class GatedConv(layers.Layer):
    """1D convolution multiplied by a learned sigmoid gate."""

    def __init__(self, filters, width, **kwargs):
        super().__init__(**kwargs)
        self.filters = filters
        self.width = width
        self.value = layers.Conv1D(filters, width, padding="same")
        self.gate = layers.Conv1D(filters, width, padding="same")

    def build(self, input_shape):
        self.value.build(input_shape)
        self.gate.build(input_shape)
        super().build(input_shape)

    def call(self, x):
        return self.value(x) * ops.sigmoid(self.gate(x))

    def compute_output_shape(self, input_shape):
        return (*input_shape[:-1], self.filters)

    def get_config(self):
        config = super().get_config()
        config.update({"filters": self.filters})
        return config
