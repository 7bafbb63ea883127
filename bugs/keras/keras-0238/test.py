"""Healthy: most words on new scans are read right."""

import numpy as np
import oracle
import read_words
from word_images import load


def accuracy(seed):
    reader = read_words.train()
    images, labels = load(400, seed=500 + seed)
    return float(np.mean(reader.predict(images, verbose=0).argmax(axis=-1) == labels))


oracle.symptom("share of words read right on new scans", accuracy, at_least=0.85, seeds=5)
