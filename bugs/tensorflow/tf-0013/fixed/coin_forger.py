"""Forges coins: a generator makes pairs of weight and width, a discriminator compares them with real ones."""

import numpy as np
import tensorflow as tf

NOISE = 8


def make_coins(count=256):
    random = np.random.RandomState(5)
    weight = random.normal(7.5, 0.2, count)
    return np.stack([weight, 3 * weight + random.normal(0, 0.1, count)], axis=1).astype("float32")


def generator(noise, reuse=False):
    """Two numbers for each row of noise."""
    with tf.variable_scope("generator", reuse=reuse):
        hidden = tf.layers.dense(noise, 16, tf.nn.relu)
        return tf.layers.dense(hidden, 2)


def discriminator(coins, reuse):
    with tf.variable_scope("discriminator", reuse=reuse):
        hidden = tf.layers.dense(coins, 16, tf.nn.relu)
        return tf.layers.dense(hidden, 1)


def loss_of(scores, real):
    labels = tf.ones_like(scores) if real else tf.zeros_like(scores)
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=scores))


def variables(scope):
    return tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope)


def main():
    coins = make_coins()
    real, noise = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None, NOISE])
    forged = generator(noise)
    of_real, of_forged = discriminator(real, reuse=False), discriminator(forged, reuse=True)
    criticise = tf.train.AdamOptimizer(0.01).minimize(
        loss_of(of_real, True) + loss_of(of_forged, False), var_list=variables("discriminator")
    )
    forge = tf.train.AdamOptimizer(0.01).minimize(loss_of(of_forged, True), var_list=variables("generator"))
    random = np.random.RandomState(6)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(50):
            rows, seeds = random.randint(0, len(coins), 32), random.normal(size=(32, NOISE))
            session.run([criticise, forge], {real: coins[rows], noise: seeds})
        wanted = tf.placeholder(tf.float32, [5, NOISE])
        samples = generator(wanted, reuse=True)
        print(session.run(samples, {wanted: random.normal(size=(5, NOISE))}))


if __name__ == "__main__":
    main()
