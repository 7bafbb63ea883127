"""Forecasts the next reading of a tide gauge with an LSTM."""

import numpy as np
import tensorflow as tf

WINDOW = 8
FEATURES = 1
UNITS = 16


def make_tides(count, rng):
    """Windows of a noisy tide, and the reading that follows each of them."""
    start = rng.uniform(0, 2 * np.pi, size=(count, 1))
    height = rng.uniform(0.5, 1.0, size=(count, 1))
    tide = height * np.sin(start + 0.5 * np.arange(WINDOW + 1))
    tide += rng.normal(scale=0.02, size=tide.shape)
    tide = tide.astype(np.float32)
    return tide[:, :-1, np.newaxis], tide[:, -1:]


def lstm_forecast(windows):
    """The forecast for windows of shape (batch, time, features)."""
    cell = tf.nn.rnn_cell.LSTMCell(UNITS)
    steps = tf.transpose(windows, [1, 0, 2])
    steps = tf.reshape(steps, [-1, FEATURES])
    steps = tf.split(steps, WINDOW, axis=0)
    _, state = tf.nn.dynamic_rnn(cell, steps, dtype=tf.float32)
    w = tf.Variable(tf.random_normal([UNITS, 1], stddev=0.1))
    b = tf.Variable(tf.zeros([1]))
    return tf.matmul(state.h, w) + b


def train(seed=0, steps=200, batch_size=50):
    """Returns the root mean squared error on 200 windows that were not trained on."""
    tf.reset_default_graph()
    tf.set_random_seed(seed)
    rng = np.random.RandomState(seed)
    x_train, y_train = make_tides(500, rng)
    x_test, y_test = make_tides(200, rng)
    x = tf.placeholder(tf.float32, [None, WINDOW, FEATURES])
    y = tf.placeholder(tf.float32, [None, 1])
    loss = tf.reduce_mean(tf.square(lstm_forecast(x) - y))
    step = tf.train.AdamOptimizer(0.02).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            batch = rng.randint(len(x_train), size=batch_size)
            session.run(step, {x: x_train[batch], y: y_train[batch]})
        return np.sqrt(session.run(loss, {x: x_test, y: y_test}))


if __name__ == "__main__":
    print("error on new windows %.3f" % train())
