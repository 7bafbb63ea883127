"""Trains the recogniser and counts how many new calls it writes down without a mistake."""

import keras
import numpy as np

from radio_calls import make_calls, spell
from recogniser import build_recogniser, decode


def train(epochs=10):
    frames, letters, lengths = make_calls(500, seed=5)
    model = build_recogniser()
    model.compile(optimizer=keras.optimizers.Adam(0.005))
    history = model.fit(frames, (letters, lengths), batch_size=32, epochs=epochs, verbose=0)
    print("loss", " ".join("%.2f" % loss for loss in history.history["loss"][::3]))
    return model


def main(seed=0):
    """The share of new calls that are written down correctly."""
    model = train()
    frames, letters, _ = make_calls(100, seed=6)
    heard, said = decode(model(frames)), [spell(call) for call in letters]
    for pair in list(zip(said, heard))[:4]:
        print("said %s, heard %s" % pair)
    return float(np.mean([a == b for a, b in zip(said, heard)]))


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    print("correct: %.2f" % main())
