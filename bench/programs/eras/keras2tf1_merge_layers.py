"""Joined branches and an optimizer with decay, as in Keras 2."""

import numpy as np
from keras.layers import Dense, Input
from keras.layers.merge import concatenate
from keras.models import Model
from keras.optimizers import SGD

a, b = Input(shape=(4,)), Input(shape=(4,))
joined = concatenate([Dense(8)(a), Dense(8)(b)])
model = Model(inputs=[a, b], outputs=Dense(1)(joined))
model.compile(optimizer=SGD(lr=0.01, decay=1e-6, momentum=0.9, nesterov=True), loss="mse")
x = np.random.rand(50, 4)
model.fit([x, x], x.sum(axis=1), epochs=2)
print(model.predict([x, x])[:2])
