"""A recogniser with CTC: one class for every letter, and one more for the blank between letters."""

import keras
import numpy as np
from keras import layers, ops

from radio_calls import ALPHABET, BANDS, FRAMES

BLANK = len(ALPHABET)


class CTCRecogniser(keras.Model):
    """Gets frames and gives the scores of all letters and the blank for each frame."""

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        letters, lengths = y
        frames = ops.full((ops.shape(y_pred)[0],), FRAMES, dtype="int32")
        return ops.mean(ops.ctc_loss(ops.maximum(letters, 0), y_pred, lengths, frames))


def build_recogniser(units=48):
    frames = keras.Input(shape=(FRAMES, BANDS))
    x = layers.Conv1D(units, 3, padding="same", activation="relu")(frames)
    x = layers.Conv1D(units, 3, padding="same", activation="relu")(x)
    scores = layers.Dense(len(ALPHABET) + 1)(x)
    return CTCRecogniser(frames, scores, name="recogniser")


def decode(scores):
    """Best path: the strongest class of each frame, repetitions merged, blanks removed."""
    calls = []
    for path in np.asarray(scores).argmax(axis=-1):
        merged = [best for best, previous in zip(path, np.append(-1, path)) if best != previous]
        calls.append("".join(ALPHABET[best] for best in merged if best != BLANK))
    return calls
