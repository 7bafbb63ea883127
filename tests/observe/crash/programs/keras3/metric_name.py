import keras
import numpy as np

model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["acuracy"])
model.fit(np.random.rand(12, 5), np.random.randint(0, 3, 12), verbose=0)
