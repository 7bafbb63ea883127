"""The backend is chosen before Keras is imported."""

import os

os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import numpy as np
from keras import layers, ops

inputs = keras.Input(shape=(8,))
hidden = layers.Dense(16, activation="gelu")(inputs)
outputs = layers.Dense(1)(ops.relu(hidden))
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.AdamW(learning_rate=1e-3), loss="mse")
x = np.random.rand(64, 8)
model.fit(x, x.sum(axis=1), epochs=2)
