"""Learns to turn dates as people write them into the order year, month, day."""

import keras
import numpy as np

from dates import decode, encode_pairs, random_pairs
from translator import build_translator


def train(pairs, epochs=3):
    model = build_translator()
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
    source, shifted, target = encode_pairs(pairs)
    model.fit([source, shifted], target, batch_size=32, epochs=epochs, verbose=0)
    return model


def letters_right(model, pairs):
    source, shifted, target = encode_pairs(pairs)
    guess = model.predict([source, shifted], verbose=0).argmax(axis=-1)
    print("written %r, read %r" % (pairs[0][0], decode(guess[0])))
    return float((guess == target).mean())


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    model = train(random_pairs(300, rng))
    print("letters that are right: %.2f" % letters_right(model, random_pairs(50, rng)))


if __name__ == "__main__":
    main()
