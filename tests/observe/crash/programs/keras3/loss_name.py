import numpy as np
import keras
from keras import layers

model = keras.Sequential([keras.Input((2,)), layers.Dense(1)])
model.compile(optimizer="adam", loss="mean_square_error")
model.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)
