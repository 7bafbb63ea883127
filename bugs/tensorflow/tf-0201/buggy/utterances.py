"""Made-up features of utterances."""

import numpy as np

SPEAKERS = 4
FEATURES = 8


def load(count, seed, mislabelled=0.0):
    rng = np.random.RandomState(seed)
    voices = np.random.RandomState(7).normal(size=(SPEAKERS, FEATURES))
    speaker = rng.randint(SPEAKERS, size=count)
    features = voices[speaker] + rng.normal(0, 0.8, size=(count, FEATURES))
    wrong = rng.uniform(size=count) < mislabelled
    speaker[wrong] = rng.randint(SPEAKERS, size=wrong.sum())
    return features.astype(np.float32), speaker.astype(np.int32)
