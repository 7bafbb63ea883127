"""Sorts coins by diameter, weight and colour."""

import numpy as np
import tensorflow as tf

from batch_norm import BatchNorm

KINDS = 4
MIDDLES = np.array([[18.0, 2.3, 0.3], [21.0, 4.1, 0.8], [23.0, 7.5, 0.6], [25.5, 8.5, 0.4]])


def coins(count, seed):
    rng = np.random.RandomState(seed)
    kind = rng.randint(KINDS, size=count)
    measured = MIDDLES[kind] + rng.normal(0, [0.4, 0.2, 0.05], (count, 3))
    return ((measured - [22.0, 5.6, 0.5]) / [3.0, 2.5, 0.2]).astype(np.float32), kind


class CoinSorter(object):

    def __init__(self, hidden=16):
        self.coins = tf.placeholder(tf.float32, [None, 3])
        self.kind = tf.placeholder(tf.int64, [None])
        self.first = tf.get_variable("first", [3, hidden])
        self.second = tf.get_variable("second", [hidden, KINDS])
        self.norm = BatchNorm(hidden)
        loss = tf.losses.sparse_softmax_cross_entropy(self.kind, self.scores(train=True))
        self.loss, self.step = loss, tf.train.AdamOptimizer(0.01).minimize(loss)
        self.answer = tf.argmax(self.scores(train=False), axis=1)

    def scores(self, train):
        hidden = tf.nn.relu(self.norm(tf.matmul(self.coins, self.first), train=train))
        return tf.matmul(hidden, self.second)


def train(session, seed=0, steps=400):
    tf.set_random_seed(seed)
    sorter = CoinSorter()
    session.run(tf.global_variables_initializer())
    data, kind = coins(500, seed)
    rng = np.random.RandomState(seed)
    for step in range(steps):
        rows = rng.randint(500, size=32)
        loss, _ = session.run([sorter.loss, sorter.step], {sorter.coins: data[rows], sorter.kind: kind[rows]})
        if step % 100 == 0:
            print("step %d: loss %.3f" % (step, loss))
    return sorter


def sort_one(session, sorter, coin):
    return int(session.run(sorter.answer, {sorter.coins: [coin]})[0])


if __name__ == "__main__":
    with tf.Session() as session:
        sorter = train(session)
        new, kind = coins(12, seed=77)
        print("real  ", kind.tolist())
        print("sorted", [sort_one(session, sorter, coin) for coin in new])
