import numpy as np
import keras
from keras import layers

features = np.random.rand(30, 4).astype("float32")
labels = np.arange(30) % 3 + 1
model = keras.Sequential([keras.Input((4,)), layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(features, labels, verbose=0)
