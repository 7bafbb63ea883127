import numpy as np
import keras
from keras import layers

tokens = np.array([[1, 5, 20], [3, 2, 0]])
model = keras.Sequential([keras.Input((3,), dtype="int32"), layers.Embedding(20, 4), layers.Flatten(), layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tokens, np.zeros((2, 1)), verbose=0)
