"""Healthy: the trained network reads most glyphs of scans it has not seen before."""

import oracle

import read_glyphs


def accuracy(seed):
    return read_glyphs.train(seed)[1]


oracle.symptom("held-out accuracy", accuracy, at_least=0.6, seeds=5)
