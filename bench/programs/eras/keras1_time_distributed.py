"""A sequence model that repeats its input, with layer lengths by name."""

import numpy as np
from keras.layers import GRU, Dense, RepeatVector, TimeDistributed
from keras.models import Sequential

model = Sequential()
model.add(GRU(output_dim=16, input_dim=4, input_length=7, inner_activation="sigmoid"))
model.add(RepeatVector(7))
model.add(GRU(16, return_sequences=True, consume_less="mem"))
model.add(TimeDistributed(Dense(4)))
model.compile(loss="mse", optimizer="adam")
data = np.random.rand(80, 7, 4)
model.fit(data, data, nb_epoch=2, batch_size=8)
