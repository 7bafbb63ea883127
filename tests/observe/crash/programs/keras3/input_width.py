import numpy as np
import keras
from keras import layers

COLUMNS = 9
model = keras.Sequential(
    [
        layers.Input(shape=(COLUMNS,)),
        layers.Dense(16, activation="relu"),
        layers.Dense(1),
    ]
)
model.compile("sgd", "mse")
table = np.random.rand(20, 10)
model.fit(table, table.sum(axis=1), verbose=0)
