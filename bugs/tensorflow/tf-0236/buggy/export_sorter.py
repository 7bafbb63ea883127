"""Trains the sorter of requests and writes it for TensorFlow Serving."""

import os
import tempfile

import tensorflow as tf

from requests_made_up import DESKS, WORDS, write_requests
from words import Encoder


class Sorter(tf.Module):
    def __init__(self, words, desks, size=16):
        super().__init__()
        self.encode = Encoder(words)
        self.vectors = tf.Variable(tf.random.normal([len(words) + 1, size], stddev=0.1))
        self.kernel = tf.Variable(tf.random.normal([size, desks], stddev=0.1))
        self.bias = tf.Variable(tf.zeros([desks]))

    def scores(self, numbers):
        meaning = tf.reduce_mean(tf.gather(self.vectors, numbers), axis=1)
        return meaning @ self.kernel + self.bias

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def answer(self, requests):
        return {"desk": tf.argmax(self.scores(self.encode(requests)), axis=1)}


def train(sorter, texts, desks, epochs=15):
    optimizer = tf.keras.optimizers.Adam(0.05)
    data = tf.data.Dataset.from_tensor_slices((texts, desks)).shuffle(len(texts)).batch(50)
    for epoch in range(epochs):
        for some_texts, some_desks in data:
            with tf.GradientTape() as tape:
                scores = sorter.scores(sorter.encode(some_texts))
                loss = tf.reduce_mean(
                    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=some_desks, logits=scores)
                )
            variables = sorter.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    right = tf.reduce_mean(tf.cast(sorter.answer(tf.constant(texts))["desk"] == desks, tf.float32))
    print("right answers in training: %.2f" % right)


def export(sorter, folder):
    tf.saved_model.save(sorter, folder, signatures={"serving_default": sorter.answer})


def main(seed=0):
    tf.random.set_seed(seed)
    sorter = Sorter(WORDS, len(DESKS))
    train(sorter, *write_requests(400, seed))
    folder = os.path.join(tempfile.mkdtemp(), "sorter", "1")
    export(sorter, folder)
    served = tf.saved_model.load(folder).signatures["serving_default"]
    print(served(tf.constant(["please pay the amount today"])))
    return folder


if __name__ == "__main__":
    main()
