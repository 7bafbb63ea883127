"""Two branches that are joined by a mode."""

import numpy as np
from keras.layers import Dense, Input, merge
from keras.models import Model

left, right = Input(shape=(8,)), Input(shape=(5,))
first = Dense(16, activation="relu")(left)
second = Dense(16, activation="relu")(right)
joined = merge([first, second], mode="concat", concat_axis=1)
answer = Dense(1, activation="sigmoid")(joined)

model = Model(input=[left, right], output=answer)
model.compile(optimizer="rmsprop", loss="binary_crossentropy")
a, b = np.random.rand(200, 8), np.random.rand(200, 5)
model.fit([a, b], (a.sum(axis=1) > 4).astype(int), nb_epoch=3, batch_size=20)
