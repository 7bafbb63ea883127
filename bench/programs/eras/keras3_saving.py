"""A model that is saved in the format of its own and loaded again."""

import keras
import numpy as np

model = keras.Sequential([keras.layers.Input(shape=(5,)), keras.layers.Dense(3, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(np.random.rand(60, 5), np.random.randint(0, 3, 60), epochs=2, verbose=0)
model.save("classifier.keras")
again = keras.saving.load_model("classifier.keras")
model.export("exported")
print(again.predict(np.random.rand(2, 5)))
