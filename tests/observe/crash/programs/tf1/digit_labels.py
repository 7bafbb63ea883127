import numpy as np
from keras.layers import Dense, Flatten
from keras.models import Sequential

images = np.random.rand(12, 8, 8)
digits = np.random.randint(0, 10, 12)
model = Sequential([Flatten(input_shape=(8, 8)), Dense(16, activation="relu"), Dense(10, activation="softmax")])
model.compile(loss="categorical_crossentropy", optimizer="sgd", metrics=["accuracy"])
model.fit(images, digits, epochs=1, verbose=0)
