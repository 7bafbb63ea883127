"""Healthy: later epochs cost little processor time, as the recordings do not change."""

import oracle
import spot_words
import torch
from word_corpus import WordCorpus

torch.set_num_threads(1)
corpus = WordCorpus(30)
spot_words.train(corpus, epochs=2)  # also loads parts of the framework


def seconds(seed):
    return oracle.cpu_seconds(spot_words.train, corpus, 6)


oracle.cost("processor seconds of six epochs", seconds, ratio=2.0, repeats=4)
