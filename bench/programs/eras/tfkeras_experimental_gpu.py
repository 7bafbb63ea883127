"""Device options under their first name, and a data set that is a pipeline."""

import numpy as np
import tensorflow as tf

for gpu in tf.config.experimental.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

data = tf.data.Dataset.from_tensor_slices((np.random.rand(100, 4), np.random.randint(0, 2, 100)))
data = data.shuffle(100).batch(10).prefetch(tf.data.experimental.AUTOTUNE)
model = tf.keras.models.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(2)])
model.compile(tf.keras.optimizers.Adam(), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(data, epochs=2)
