"""GAN for short waves: the discriminator sees real and made waves in one batch."""

import numpy as np
import tensorflow as tf

SAMPLES = 16
NOISE = 4


def real_waves(count, rng):
    phase = rng.uniform(0, 2 * np.pi, size=(count, 1))
    return np.sin(np.linspace(0, 2 * np.pi, SAMPLES)[None, :] + phase).astype(np.float32)


def generator(noise):
    with tf.variable_scope("generator"):
        hidden = tf.layers.dense(noise, 32, tf.nn.relu)
        return tf.layers.dense(hidden, SAMPLES)


def discriminator(waves):
    with tf.variable_scope("discriminator"):
        hidden = tf.layers.dense(waves, 32, tf.nn.relu)
        return tf.layers.dense(hidden, 1)


def build(batch):
    waves = tf.placeholder(tf.float32, [batch, SAMPLES])
    made = generator(tf.random_normal([batch, NOISE]))
    real, fake = tf.ones([batch, 1]), tf.zeros([batch, 1])
    scores = discriminator(tf.concat(0, [waves, made]))
    answers = tf.concat(0, [real, fake])
    loss_d = tf.losses.sigmoid_cross_entropy(answers, scores)
    loss_g = tf.losses.sigmoid_cross_entropy(real, scores[batch:])
    steps = []
    for loss, part in ((loss_d, "discriminator"), (loss_g, "generator")):
        variables = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, part)
        steps.append(tf.train.AdamOptimizer(1e-3).minimize(loss, var_list=variables))
    return waves, loss_d, loss_g, steps


def main(rounds=100, batch=32):
    tf.reset_default_graph()
    rng = np.random.RandomState(0)
    waves, loss_d, loss_g, steps = build(batch)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for number in range(rounds):
            d, g, _ = sess.run([loss_d, loss_g, steps], {waves: real_waves(batch, rng)})
            if number % 25 == 0:
                print("round %d: discriminator %.3f, generator %.3f" % (number, d, g))


if __name__ == "__main__":
    main()
