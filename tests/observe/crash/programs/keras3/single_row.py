import keras
import numpy as np

model = keras.Sequential([keras.Input((7,)), keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(np.random.rand(20, 7), np.random.rand(20), verbose=0)
print(model.predict(np.random.rand(7), verbose=0))
