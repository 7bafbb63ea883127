"""Recurrent layers with the parameter names of the first editions."""

import numpy as np
from keras.layers import LSTM, Dense, Embedding
from keras.models import Sequential

max_features, maxlen = 500, 20
X = np.random.randint(1, max_features, (120, maxlen))
y = np.random.randint(0, 2, 120)

model = Sequential()
model.add(Embedding(max_features, 32, dropout=0.2))
model.add(LSTM(32, dropout_W=0.2, dropout_U=0.2))
model.add(Dense(output_dim=1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(X, y, batch_size=32, nb_epoch=2, validation_data=(X, y))
