"""Convolutional network for letters of a pixel font."""

import numpy as np
import tensorflow as tf

FONT = {
    "L": ["#...", "#...", "#...", "#...", "####"],
    "T": ["####", ".#..", ".#..", ".#..", ".#.."],
    "O": [".##.", "#..#", "#..#", "#..#", ".##."],
    "X": ["#..#", "#..#", ".##.", "#..#", "#..#"],
}
NAMES = sorted(FONT)


def draw(count, seed):
    rng = np.random.RandomState(seed)
    which = rng.randint(len(NAMES), size=count)
    images = 0.2 * rng.rand(count, 9, 7, 1)
    for image, letter in zip(images, which):
        top, left = rng.randint(5), rng.randint(4)
        bitmap = np.array([[char == "#" for char in line] for line in FONT[NAMES[letter]]])
        image[top:top + 5, left:left + 4, 0] += 0.8 * bitmap
    return images.astype(np.float32), which


def weight(shape):
    return tf.Variable(tf.truncated_normal(shape, stddev=0.1))


def bias(shape):
    return tf.Variable(tf.constant(0.1, shape=shape))


def network(x):
    conv = tf.nn.relu(tf.nn.conv2d(x, weight([3, 3, 1, 8]), [1, 1, 1, 1], "SAME") + bias([8]))
    pool = tf.nn.max_pool(conv, [1, 3, 3, 1], [1, 3, 3, 1], "SAME")
    flat = tf.reshape(pool, [-1, 3 * 3 * 8])
    scores = tf.matmul(flat, weight([72, len(NAMES)])) + bias([len(NAMES)])
    return scores, tf.nn.softmax(scores, dim=1, name="probabilities")


def run(steps=150):
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [None, 9, 7, 1])
    y = tf.placeholder(tf.int64, [None])
    scores, probabilities = network(x)
    loss = tf.losses.sparse_softmax_cross_entropy(y, scores)
    step = tf.train.AdamOptimizer(0.01).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(steps):
            images, which = draw(32, i)
            sess.run(step, {x: images, y: which})
        images, which = draw(100, 9999)
        found = sess.run(probabilities, {x: images}).argmax(axis=1)
    print("right: %d of 100" % np.sum(found == which))


if __name__ == "__main__":
    run()
