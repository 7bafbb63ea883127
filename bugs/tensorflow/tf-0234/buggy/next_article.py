"""Predicts the article that a customer buys next."""

import tensorflow as tf

from shop import ARTICLES, purchases


class NextArticle(tf.keras.Model):
    def __init__(self, articles, size=16):
        super().__init__()
        self.vectors = tf.keras.layers.Embedding(articles + 1, size)
        self.mix = tf.keras.layers.GRU(24)
        self.scores = tf.keras.layers.Dense(articles)

    def call(self, bought):
        return self.scores(self.mix(self.vectors(bought)))


def train(model, bought, following, epochs, batch_size=20):
    optimizer = tf.keras.optimizers.Adam(0.01)
    data = tf.data.Dataset.from_tensor_slices((bought, following)).batch(batch_size)
    for epoch in range(epochs):
        total = 0.0
        for some_bought, some_following in data:
            with tf.GradientTape() as tape:
                scores = model(some_bought)
                losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=some_following, logits=scores)
                loss = tf.reduce_mean(losses)
            variables = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
            total += float(loss)
        print("epoch %d: %.3f" % (epoch + 1, total * batch_size / len(bought)))


def main(seed=0, epochs=2):
    tf.keras.utils.set_random_seed(seed)
    model = NextArticle(ARTICLES)
    train(model, *purchases(400, seed), epochs=epochs)
    return model


if __name__ == "__main__":
    main()
