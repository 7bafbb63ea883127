import numpy as np
from tensorflow import keras

x, y = np.random.rand(30, 4), np.random.randint(0, 3, 30)
model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(x, y, epochs=1, verbose=0)
classes = model.predict_classes(x)
print((classes == y).mean())
