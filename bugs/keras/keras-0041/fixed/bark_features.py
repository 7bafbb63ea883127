"""Describes patches of bark by the features of a network that tells three trees."""

import numpy as np
from keras.layers import Dense, Flatten
from keras.models import Sequential

SIDE, TREES, FEATURES = 8, 3, 24


def make_patches(count=300):
    random = np.random.RandomState(7)
    trees = random.randint(0, TREES, count)
    stripes = np.sin(np.arange(SIDE) * (1.0 + trees[:, None]))
    patches = stripes[:, :, None] + 0.3 * random.normal(size=(count, SIDE, SIDE))
    return patches, np.eye(TREES)[trees]


def train():
    patches, trees = make_patches()
    model = Sequential()
    model.add(Flatten(input_shape=(SIDE, SIDE)))
    model.add(Dense(FEATURES, activation="relu"))
    model.add(Dense(TREES, activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer="adam")
    model.fit(patches, trees, nb_epoch=3, batch_size=32, verbose=2)
    return model


def features_of(model, patches):
    """What the network has before its answers."""
    model = Sequential(model.layers[:-1])
    return model.predict(patches)


if __name__ == "__main__":
    print(features_of(train(), make_patches()[0]).shape)
