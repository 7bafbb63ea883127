"""Q-learning of a taxi in a corridor, with the table and the exploration rate in the graph."""

import numpy as np
import tensorflow as tf

from corridor import Corridor


class QLearner(object):

    def __init__(self, rate=0.5, discount=0.9, explore=1.0, decay=0.97):
        self.world = Corridor()
        self.decay = decay
        with tf.variable_scope("learner"):
            self.table = tf.get_variable("q", [Corridor.cells, Corridor.actions], initializer=tf.zeros_initializer())
            self.explore = tf.get_variable("explore", [], initializer=tf.constant_initializer(explore), trainable=False)
        self.cell = tf.placeholder(tf.int32, [])
        self.action = tf.placeholder(tf.int32, [])
        self.target = tf.placeholder(tf.float32, [])
        self.values = self.table[self.cell]
        error = self.target - self.values[self.action]
        self.update = tf.train.GradientDescentOptimizer(rate).minimize(0.5 * tf.square(error))
        self.discount = discount

    def episode(self, session, rng, longest=40):
        cell, total = self.world.reset(), 0.0
        explore = session.run(self.explore)
        for _ in range(longest):
            values = session.run(self.values, {self.cell: cell})
            action = rng.randint(2) if rng.rand() < explore else int(np.argmax(values))
            following, reward, done = self.world.step(action)
            future = 0.0 if done else np.max(session.run(self.values, {self.cell: following}))
            feed = {self.cell: cell, self.action: action, self.target: reward + self.discount * future}
            session.run(self.update, feed)
            cell, total = following, total + reward
            if done:
                break
        session.run(tf.assign(self.explore, self.explore * self.decay))
        return total


def learn(session, learner, episodes=60, seed=0):
    rng = np.random.RandomState(seed)
    rewards = [learner.episode(session, rng) for _ in range(episodes)]
    return float(np.mean(rewards[-10:]))


if __name__ == "__main__":
    learner = QLearner()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for block in range(4):
            reward = learn(session, learner, seed=block)
            size = len(tf.get_default_graph().get_operations())
            print("after %d episodes: reward %.2f, %d operations" % (60 * (block + 1), reward, size))
