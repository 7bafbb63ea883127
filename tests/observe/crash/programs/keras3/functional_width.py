import numpy as np
import keras
from keras import layers

inputs = keras.Input(shape=(12,))
hidden = layers.Dense(16, activation="relu")(inputs)
outputs = layers.Dense(4, activation="softmax")(hidden)
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss=keras.losses.CategoricalCrossentropy())
kinds = np.random.randint(0, 4, size=(20,))
model.fit(np.random.rand(20, 12), kinds, verbose=0)
