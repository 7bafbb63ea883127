"""Sorts words of two invented languages by their letters."""

import numpy as np
import tensorflow as tf

ALPHABET = "_abdegiklmnoprstu"
LENGTH = 8
SYLLABLES = (["ka", "ro", "mi", "tu", "le"], ["bar", "ulg", "den", "ast", "onk"])


def make_words(count, rng):
    """Words as rows of letter numbers, filled up with the padding letter 0, and their language."""
    language = rng.randint(2, size=count)
    words = np.zeros((count, LENGTH), dtype=np.int32)
    for row, which in zip(words, language):
        word = "".join(rng.choice(SYLLABLES[which], size=rng.randint(2, 4)))[:LENGTH]
        row[:len(word)] = [ALPHABET.index(letter) for letter in word]
    return words, language.astype(np.int32)


class LetterModel(object):
    """Letter embeddings, a convolution over letter pairs and a softmax."""

    def __init__(self, embedding_size=6, filters=16):
        self.words = tf.placeholder(tf.int32, [None, LENGTH])
        self.language = tf.placeholder(tf.int32, [None])
        with tf.variable_scope("Embedding"):
            embedding = tf.get_variable("char_embedding", [len(ALPHABET), embedding_size])
            self.clear_padding = tf.scatter_update(embedding, [0], tf.zeros([1, embedding_size]))
        letters = tf.nn.embedding_lookup(embedding, self.words)
        pairs = tf.layers.conv1d(letters, filters, 2, activation=tf.nn.tanh)
        logits = tf.layers.dense(tf.reduce_max(pairs, axis=1), 2)
        self.loss = tf.losses.sparse_softmax_cross_entropy(self.language, logits)
        self.step = tf.train.AdamOptimizer(0.02).minimize(self.loss)
        hits = tf.equal(tf.argmax(logits, 1, output_type=tf.int32), self.language)
        self.accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))


def train(session, model, words, language, epochs=20):
    tf.global_variables_initializer().run()
    session.run(model.clear_padding)
    for _ in range(epochs):
        for start in range(0, len(words), 25):
            batch = slice(start, start + 25)
            session.run(model.step, {model.words: words[batch], model.language: language[batch]})
            session.run(model.clear_padding)


def main(seed=0):
    tf.reset_default_graph()
    tf.set_random_seed(seed)
    rng = np.random.RandomState(seed)
    model = LetterModel()
    with tf.Session() as session:
        train(session, model, *make_words(200, rng))
        words, language = make_words(100, rng)
        accuracy = session.run(model.accuracy, {model.words: words, model.language: language})
    print("accuracy on new words %.2f" % accuracy)


if __name__ == "__main__":
    main()
