import keras
import numpy as np
import tensorflow as tf

inputs = keras.Input((10, 4))
codes = keras.layers.Dense(8)(inputs)
mean = tf.reduce_mean(codes, axis=1)
outputs = keras.layers.Dense(2)(mean)
model = keras.Model(inputs, outputs)
print(model.predict(np.zeros((1, 10, 4)), verbose=0).shape)
