"""Data sets for the programs: made with NumPy from a seed, learnable by a small network and not by a line."""

import numpy as np


def make(plan):
    """Inputs and targets for training and validation."""
    random = np.random.RandomState(plan["seed"])
    if plan["network"] == "cnn":
        inputs, labels = images(plan, random)
    else:
        inputs, labels = table(plan, random)
    cut = len(inputs) * 3 // 4
    return inputs[:cut], labels[:cut], inputs[cut:], labels[cut:]


def table(plan, random):
    """Rows whose class, or value, depends on products and bends of a few columns."""
    count, columns = plan["samples"], plan["features"]
    inputs = random.normal(size=(count, columns)).astype("float32")
    if plan["task"] == "regression":
        value = np.sin(inputs[:, 0] * 1.5) + 0.6 * inputs[:, 1] * inputs[:, 2] + 0.5 * inputs[:, 3]
        value = (value - value.mean()) / value.std() + random.normal(scale=0.1, size=count)
        return inputs, value.astype("float32")
    kinds = max(plan["classes"], 2)
    # Two clusters a class, so that no straight line parts the classes.
    centres = random.normal(size=(kinds, 2, columns)) * 1.9
    labels = random.randint(kinds, size=count)
    inputs += centres[labels, random.randint(2, size=count)].astype("float32")
    inputs = (inputs - inputs.mean(0)) / inputs.std(0)
    return inputs.astype("float32"), labels.astype("int64")


def images(plan, random):
    """Small pictures: a pattern of the class, moved by a pixel or two, under noise."""
    kinds = max(plan["classes"], 2)
    patterns = random.normal(size=(kinds, 8, 8))
    labels = random.randint(kinds, size=plan["samples"])
    pictures = np.stack(
        [np.roll(patterns[label], tuple(random.randint(-1, 2, size=2)), axis=(0, 1)) for label in labels]
    )
    pictures += random.normal(scale=0.7, size=pictures.shape)
    pictures = (pictures - pictures.mean()) / pictures.std()
    return pictures[..., None].astype("float32"), labels.astype("int64")
