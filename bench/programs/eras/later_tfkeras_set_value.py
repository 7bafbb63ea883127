"""The learning rate halved by hand."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers, models, optimizers

model = models.Sequential()
model.add(layers.Dense(16, activation="relu", input_shape=(4,)))
model.add(layers.Dense(3, activation="softmax"))
model.compile(optimizer=optimizers.RMSprop(learning_rate=0.01), loss="sparse_categorical_crossentropy", metrics=["acc"])
x, y = np.random.rand(90, 4), np.random.randint(0, 3, 90)
for i in range(3):
    history = model.fit(x, y, epochs=1, batch_size=16, verbose=0)
    K.set_value(model.optimizer.lr, K.get_value(model.optimizer.lr) / 2)
    print(i, history.history["acc"], K.get_value(model.optimizer.lr))
print(tf.__version__)
