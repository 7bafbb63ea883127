"""A session with a limited share of memory is given to Keras."""

import keras.backend as K
import numpy as np
import tensorflow as tf
from keras.layers import Dense
from keras.models import Sequential

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))

model = Sequential([Dense(10, activation="relu", input_shape=(6,)), Dense(2, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(np.random.rand(100, 6), np.random.randint(0, 2, 100), epochs=2)
