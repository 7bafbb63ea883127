"""Tells speakers apart and returns to the epoch that did best on the validation set."""

import os
import shutil
import tempfile

import numpy as np
import tensorflow as tf

import utterances


class SpeakerNet(object):

    def __init__(self, hidden=64, rate=0.02):
        self.features = tf.placeholder(tf.float32, [None, utterances.FEATURES], name="features")
        self.speaker = tf.placeholder(tf.int32, [None], name="speaker")
        layer = tf.layers.dense(self.features, hidden, tf.nn.relu, name="hidden")
        self.logits = tf.layers.dense(layer, utterances.SPEAKERS, name="logits")
        self.loss = tf.losses.sparse_softmax_cross_entropy(self.speaker, self.logits)
        self.step = tf.train.AdamOptimizer(rate).minimize(self.loss)

    def feed(self, data):
        return {self.features: data[0], self.speaker: data[1]}


def train(epochs=30, seed=0):
    tf.reset_default_graph()
    tf.set_random_seed(seed)
    model = SpeakerNet()
    training = utterances.load(120, seed, mislabelled=0.2)
    validation = utterances.load(200, seed + 1)
    folder = tempfile.mkdtemp()
    saver = tf.train.Saver()
    try:
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            losses = []
            for epoch in range(epochs):
                for rows in np.array_split(np.random.RandomState(epoch).permutation(120), 8):
                    sess.run(model.step, model.feed([part[rows] for part in training]))
                losses.append(sess.run(model.loss, model.feed(validation)))
                saver.save(sess, os.path.join(folder, "speaker"), global_step=epoch)
            best = int(np.argmin(losses))
            print("best epoch %d of %d, validation loss %.3f, last %.3f" % (best, epochs, losses[best], losses[-1]))
            saver.restore(sess, os.path.join(folder, "speaker-%d" % best))
            return sess.run(model.loss, model.feed(validation))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    train()
