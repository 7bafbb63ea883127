"""The optimizers that were set aside when Keras got new ones."""

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.legacy.Adam(learning_rate=1e-3), loss="mae", jit_compile=False)
x = np.random.rand(80, 3)
model.fit(x, x.sum(axis=1), epochs=2, verbose=2)
model.save("model.keras")
