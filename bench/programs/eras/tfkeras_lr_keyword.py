"""tf.keras with the optimizer options of its early releases."""

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import Adam

model = Sequential()
model.add(Dense(16, activation="relu", input_dim=5))
model.add(Dense(1))
model.compile(optimizer=Adam(lr=0.01, decay=1e-4), loss="mse")
x = np.random.rand(128, 5)
model.fit(x, x.mean(axis=1), epochs=3, verbose=0)
print(tf.reduce_mean(model(x)))
