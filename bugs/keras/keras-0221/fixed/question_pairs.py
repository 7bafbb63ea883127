"""Pairs of questions as counts of known words."""

import numpy as np

WORDS = 30
TOPICS = 5


def questions(topic, rng):
    likely = np.full((len(topic), WORDS), 0.02)
    for row, number in zip(likely, topic):
        row[6 * number:6 * number + 6] = 0.5
    return (rng.rand(len(topic), WORDS) < likely).astype("float32")


def pairs(count, seed, unknown=0.03):
    """First and second questions and whether they have the same topic; some contain unknown words only."""
    rng = np.random.RandomState(seed)
    first = rng.randint(TOPICS, size=count)
    same = rng.rand(count) < 0.5
    second = np.where(same, first, (first + rng.randint(1, TOPICS, size=count)) % TOPICS)
    left, right = questions(first, rng), questions(second, rng)
    left[rng.rand(count) < unknown] = 0
    return left, right, same.astype("float32")
