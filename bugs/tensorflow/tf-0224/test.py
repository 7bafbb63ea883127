"""Healthy: the log of 400 steps has the loss of every fiftieth step."""

import math
import os
import tempfile

import oracle
import train_peaks


def steps_with_a_loss(seed):
    path = os.path.join(tempfile.mkdtemp(), "diary.log")
    train_peaks.main(seed, 400, path)
    found = []
    for line in open(path):
        words = line.split()
        try:
            if words[0] == "step" and words[2] == "loss" and math.isfinite(float(words[3])):
                found.append(int(words[1]))
        except (IndexError, ValueError):
            continue
    return sorted(found)


oracle.value("steps with a loss in the log", steps_with_a_loss, equals=[0, 50, 100, 150, 200, 250, 300, 350])
