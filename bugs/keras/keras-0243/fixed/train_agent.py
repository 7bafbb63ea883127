"""Trains an agent on short episodes of a task that goes on for ever."""

import keras
import numpy as np

from agent import Agent
from balance import Balance


def train(longest=5, seed=0):
    agent = Agent(seed)
    agent.explore(Balance(longest, seed))
    agent.learn()
    return agent


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    agent = train()
    for value in (-0.2, 0.0, 0.2):
        print("value %5.2f: expected points %s" % (value, np.round(agent.values([[value, 1.0]])[0], 2)))
