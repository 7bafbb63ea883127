"""Training from a generator."""

import numpy as np
from keras.layers import Dense
from keras.models import Sequential


def batches():
    while True:
        x = np.random.rand(16, 6)
        yield x, x.sum(axis=1)


model = Sequential([Dense(12, input_dim=6, init="uniform", activation="relu"), Dense(1, init="normal")])
model.compile(loss="mean_squared_error", optimizer="sgd")
model.fit_generator(batches(), samples_per_epoch=64, nb_epoch=2, validation_data=batches(), nb_val_samples=32)
