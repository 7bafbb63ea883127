"""Names birds by ten features of their calls."""

import numpy as np
from keras.layers import Dense, Dropout
from keras.models import Sequential
from keras.utils import np_utils

BIRDS = 8


def calls(count, seed):
    rng = np.random.RandomState(seed)
    voices = np.random.RandomState(3).normal(size=(BIRDS, 10))
    bird = rng.randint(BIRDS, size=count)
    return voices[bird] + rng.normal(0, 1.3, size=(count, 10)), bird


def build():
    model = Sequential()
    model.add(Dense(24, activation="relu", input_dim=10))
    model.add(Dropout(0.2))
    model.add(Dense(BIRDS, activation="softmax"))
    model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


def train(seed=0, epochs=15):
    model = build()
    x, bird = calls(400, seed)
    model.fit(x, np_utils.to_categorical(bird, BIRDS), epochs=epochs, batch_size=16, verbose=0)
    return model


def reported_accuracy(model, x, bird):
    scores = model.evaluate(x, np_utils.to_categorical(bird, BIRDS), verbose=0)
    return scores[1]


if __name__ == "__main__":
    model = train()
    x, bird = calls(400, seed=1)
    print("Accuracy: %.2f%%" % (100 * reported_accuracy(model, x, bird)))
    for row in range(6):
        print("call %d: bird %d, answer %d" % (row, bird[row], np.argmax(model.predict(x[row:row + 1]))))
