"""Healthy: the reader, trained on shifted copies, also knows symbols that are off the centre."""

import numpy as np

import oracle
import symbols
import train_reader


def accuracy_off_centre(seed):
    model = train_reader.main(seed)
    images, labels = symbols.draw(400, seed + 70000, wander=3)
    return float(np.mean(np.argmax(model(images).numpy(), axis=1) == labels))


oracle.symptom("accuracy off the centre", accuracy_off_centre, at_least=0.75, seeds=5)
