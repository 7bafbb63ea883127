"""Batches from a class."""

import math

import keras
import numpy as np


class Batches(keras.utils.PyDataset):
    def __init__(self, x, y, batch_size, **kwargs):
        super().__init__(**kwargs)
        self.x, self.y, self.batch_size = x, y, batch_size

    def __len__(self):
        return math.ceil(len(self.x) / self.batch_size)

    def __getitem__(self, index):
        low = index * self.batch_size
        return self.x[low : low + self.batch_size], self.y[low : low + self.batch_size]


model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Batches(np.random.rand(64, 3), np.random.rand(64, 1), 16, workers=1), epochs=2)
