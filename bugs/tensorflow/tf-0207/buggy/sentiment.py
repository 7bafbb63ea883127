"""Rates short reviews with an LSTM."""

import numpy as np
import tensorflow as tf

VOCABULARY = 40
LENGTH = 10


def reviews(count, seed):
    """Words below 15 are kind, those from 25 on are not."""
    rng = np.random.RandomState(seed)
    words = rng.randint(VOCABULARY, size=(count, LENGTH))
    kind = np.sum(words < 15, axis=1) > np.sum(words >= 25, axis=1)
    return words.astype(np.int32), kind.astype(np.int32)


class SentimentModel(object):

    def __init__(self, hidden=16, keep=0.5, rate=0.01):
        self.words = tf.placeholder(tf.int32, [None, LENGTH])
        self.kind = tf.placeholder(tf.int32, [None])
        self.dropout_keep_prob = tf.constant(keep)
        embedding = tf.get_variable("embedding", [VOCABULARY, hidden])
        cell = tf.nn.rnn_cell.LSTMCell(hidden)
        cell = tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=self.dropout_keep_prob)
        outputs, _ = tf.nn.dynamic_rnn(cell, tf.nn.embedding_lookup(embedding, self.words), dtype=tf.float32)
        logits = tf.layers.dense(tf.reduce_mean(outputs, axis=1), 2)
        self.probability = tf.nn.softmax(logits)[:, 1]
        self.loss = tf.losses.sparse_softmax_cross_entropy(self.kind, logits)
        self.update = tf.train.AdamOptimizer(rate).minimize(self.loss)

    def step(self, session, words, kind):
        feed = {self.words: words, self.kind: kind}
        return session.run([self.loss, self.update], feed)[0]

    def rate(self, session, words):
        feed = {self.words: words}
        return session.run(self.probability, feed)


def train(session, steps=120, seed=0):
    model = SentimentModel()
    session.run(tf.global_variables_initializer())
    words, kind = reviews(600, seed)
    rng = np.random.RandomState(seed)
    for _ in range(steps):
        rows = rng.randint(600, size=32)
        model.step(session, words[rows], kind[rows])
    return model


if __name__ == "__main__":
    with tf.Session() as session:
        model = train(session)
        review, _ = reviews(1, seed=8)
        for attempt in range(4):
            print("probability of a kind review: %.4f" % model.rate(session, review)[0])
