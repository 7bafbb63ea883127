import numpy as np
from keras import Input, Model, layers


def branch(x, filters, size):
    return layers.Conv2D(filters, size, padding="same", activation="relu")(x)


inputs = Input((16, 16, 3))
joined = layers.Concatenate(axis=1)([branch(inputs, 8, 3), branch(inputs, 4, 5)])
outputs = layers.Dense(2, activation="softmax")(layers.GlobalAveragePooling2D()(joined))
model = Model(inputs, outputs)
print(model.predict(np.zeros((1, 16, 16, 3)), verbose=0).shape)
