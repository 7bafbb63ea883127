"""Healthy: the reader recognises most characters of new scans (guessing finds one in 46)."""

import oracle
import read_katakana


def held_out_accuracy(seed):
    _, accuracy = read_katakana.main(seed)
    return accuracy


oracle.symptom("held-out accuracy", held_out_accuracy, at_least=0.6, seeds=6)
