import numpy as np
from tensorflow import keras


def trained(x, y):
    network = keras.Sequential([keras.layers.Dense(1, input_shape=(2,))])
    network.compile("sgd", "mse")
    return network.fit(x, y, verbose=0)


inputs, targets = np.ones((8, 2)), np.ones((8, 1))
print(trained(inputs, targets).predict(inputs, verbose=0).shape)
