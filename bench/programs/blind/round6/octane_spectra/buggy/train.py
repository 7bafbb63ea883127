"""Octane number from fuel spectra with a plain TensorFlow graph."""
import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)

BANDS = 30
BATCH = 50
EPOCHS = 40


def make_fuels(n, rng):
    conc = rng.dirichlet(np.ones(3), size=n)
    wave = np.linspace(0, 1, BANDS)
    peaks = np.stack([np.exp(-0.5 * ((wave - c) / 0.1) ** 2) for c in (0.2, 0.5, 0.75)])
    spectra = conc.dot(peaks) + rng.normal(0, 0.02, (n, BANDS))
    octane = 85 + 10 * conc[:, 0] + 25 * conc[:, 1] * conc[:, 2] + 8 * conc[:, 2] ** 2
    return spectra.astype(np.float32), octane.astype(np.float32)[:, None]


def dense(x, n_in, n_out, name):
    with tf.variable_scope(name):
        w = tf.Variable(tf.zeros([n_in, n_out]), name='w')
        b = tf.Variable(tf.zeros([n_out]), name='b')
        return tf.matmul(x, w) + b


def build_graph():
    x = tf.placeholder(tf.float32, [None, BANDS], name='spectra')
    y = tf.placeholder(tf.float32, [None, 1], name='octane')
    h1 = tf.nn.relu(dense(x, BANDS, 32, 'hidden1'))
    h2 = tf.nn.relu(dense(h1, 32, 16, 'hidden2'))
    out = dense(h2, 16, 1, 'out')
    loss = tf.reduce_mean(tf.square(out - y))
    step = tf.train.AdamOptimizer(2e-3).minimize(loss)
    return x, y, out, loss, step


def main():
    rng = np.random.RandomState(2)
    tf.set_random_seed(2)
    spectra, octane = make_fuels(2600, rng)
    mu, sd = spectra[:2000].mean(0), spectra[:2000].std(0)
    y_mu, y_sd = octane[:2000].mean(), octane[:2000].std()
    xs, ys = (spectra - mu) / sd, (octane - y_mu) / y_sd
    x_train, y_train = xs[:2000], ys[:2000]
    x_val, y_val = xs[2000:2300], ys[2000:2300]
    x_test, y_test = xs[2300:], ys[2300:]

    x, y, out, loss, step = build_graph()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(1, EPOCHS + 1):
            order = rng.permutation(len(x_train))
            total = 0.0
            for s in range(0, len(order), BATCH):
                idx = order[s:s + BATCH]
                value, _ = sess.run([loss, step], {x: x_train[idx], y: y_train[idx]})
                total += value * len(idx)
            if epoch % 5 == 0:
                val = sess.run(loss, {x: x_val, y: y_val})
                print('epoch %2d train loss %.4f val loss %.4f' % (epoch, total / len(x_train), val))
        pred = sess.run(out, {x: x_test}) * y_sd + y_mu
    truth = y_test * y_sd + y_mu
    print('test RMSE %.3f octane (spread %.3f)' % (np.sqrt(np.mean((pred - truth) ** 2)), truth.std()))


if __name__ == '__main__':
    main()
