"""Deep Q-learning with a target network."""

import keras
import numpy as np
from keras import layers

from balance import ACTIONS
from memory import Memory

DISCOUNT = 0.9


def build_network():
    return keras.Sequential(
        [keras.Input(shape=(2,)), layers.Dense(24, activation="relu"), layers.Dense(len(ACTIONS))]
    )


class Agent:
    def __init__(self, seed=0):
        self.network, self.target = build_network(), build_network()
        self.network.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
        self.memory = Memory(seed=seed)
        self.rng = np.random.default_rng(seed)

    def explore(self, world, episodes=150):
        """Acts at random and remembers what happened."""
        for _ in range(episodes):
            observed, over = world.reset(), False
            while not over:
                action = self.rng.integers(len(ACTIONS))
                following, reward, lost, time_is_up = world.step(action)
                over = lost or time_is_up
                self.memory.remember(observed, action, reward, following, over)
                observed = following

    def learn(self, rounds=40, batches=25, batch_size=32):
        for _ in range(rounds):
            self.target.set_weights(self.network.get_weights())
            observed, action, reward, following, ended = self.memory.sample(batches * batch_size)
            best = self.target.predict_on_batch(following).max(axis=1)
            values = self.network.predict_on_batch(observed)
            values[np.arange(len(action)), action] = reward + DISCOUNT * best * ~ended
            self.network.fit(observed, values, batch_size=batch_size, verbose=0)

    def values(self, observed):
        return self.network.predict_on_batch(np.asarray(observed, "float32"))
