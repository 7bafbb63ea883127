import numpy as np
from keras.layers import Conv2D, Dense
from keras.models import Sequential

model = Sequential()
model.add(Conv2D(4, (3, 3), activation="relu", input_shape=(8, 8, 1)))
model.add(Dense(2, activation="softmax"))
model.compile(optimizer="sgd", loss="categorical_crossentropy")
model.fit(np.zeros((6, 8, 8, 1)), np.eye(2)[[0, 1, 0, 1, 0, 1]], verbose=0)
