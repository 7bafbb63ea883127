"""Preprocessing by layers while they were experimental."""

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers.experimental import preprocessing

data = np.random.rand(100, 3).astype("float32")
normalizer = preprocessing.Normalization()
normalizer.adapt(data)
model = tf.keras.Sequential([normalizer, tf.keras.layers.Dense(units=1)])
model.compile(optimizer=tf.optimizers.Adam(learning_rate=0.1), loss="mean_absolute_error")
model.fit(data, data.sum(axis=1), epochs=2, verbose=0)
