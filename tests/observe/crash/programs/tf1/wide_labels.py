import numpy as np
from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(6, activation="relu", input_dim=4), Dense(2, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(np.zeros((9, 4)), np.eye(3)[[0, 1, 2] * 3], verbose=0)
