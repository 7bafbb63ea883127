"""Sends tickets to one of three teams by their words."""

import numpy as np
from keras.layers import GRU, Bidirectional, Dense, Dropout, Embedding, Flatten, Input
from keras.models import Model
from keras.preprocessing.sequence import pad_sequences

WORDS = 60
LONGEST = 12
TEAMS = 3


def tickets(count, seed=0):
    """Word numbers from 1 on; the words of a team lie close together."""
    rng = np.random.RandomState(seed)
    team = rng.randint(TEAMS, size=count)
    texts = []
    for number in team:
        length = rng.randint(3, LONGEST + 1)
        own = rng.randint(1 + 20 * number, 21 + 20 * number, size=length)
        any_word = rng.randint(1, WORDS + 1, size=length)
        texts.append(np.where(rng.rand(length) < 0.5, own, any_word).tolist())
    return pad_sequences(texts, maxlen=LONGEST, padding="post"), team


def router():
    words = Input(shape=(LONGEST,), dtype="int32")
    net = Embedding(WORDS + 1, 8, mask_zero=True)(words)
    net = Bidirectional(GRU(8, return_sequences=True))(net)
    net = Flatten()(net)
    net = Dropout(0.3)(net)
    team = Dense(TEAMS, activation="softmax")(net)
    model = Model(words, team)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    x, team = tickets(300)
    model = router()
    model.fit(x, team, epochs=3, verbose=0)
    print("accuracy %.2f" % model.evaluate(*tickets(100, seed=1), verbose=0)[1])


if __name__ == "__main__":
    main()
