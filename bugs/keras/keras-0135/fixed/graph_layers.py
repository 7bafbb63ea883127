"""Graph convolution on a dense adjacency matrix."""

import keras
from keras import layers, ops


@keras.saving.register_keras_serializable("rivers")
class GraphConvolution(layers.Layer):
    """Own features and those of the neighbours, each with weights of its own."""

    def __init__(self, units, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.activation = keras.activations.get(activation)

    def build(self, features_shape, adjacency_shape):
        shape = (features_shape[-1], self.units)
        self.own = self.add_weight(name="own", shape=shape, initializer="glorot_uniform")
        self.neighbours = self.add_weight(name="neighbours", shape=shape, initializer="glorot_uniform")
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")

    def call(self, features, adjacency):
        gathered = ops.matmul(adjacency, features)
        x = ops.matmul(features, self.own) + ops.matmul(gathered, self.neighbours) + self.bias
        return self.activation(x)

    def get_config(self):
        activation = keras.activations.serialize(self.activation)
        return {**super().get_config(), "units": self.units, "activation": activation}


def build_gcn(stations, features, classes):
    measured = keras.Input(shape=(stations, features), name="measured")
    adjacency = keras.Input(shape=(stations, stations), name="adjacency")
    x = GraphConvolution(16, activation="relu")(measured, adjacency)
    x = layers.Dropout(0.3)(x)
    probability = GraphConvolution(classes, activation="softmax")(x, adjacency)
    return keras.Model({"measured": measured, "adjacency": adjacency}, probability, name="gcn")
