import numpy as np
import keras


class Scale(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[1], self.units), name="kernel")

    def call(self, inputs):
        return keras.ops.matmul(inputs, self.kernel)


layer = Scale(4)
print(layer(np.ones((2, 5, 3), "float32")).shape)
