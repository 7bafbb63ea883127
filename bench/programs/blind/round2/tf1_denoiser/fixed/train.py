"""Denoising autoencoder for spectra, plain TensorFlow 1 graph."""
import numpy as np
import tensorflow as tf

CHANNELS = 80
BATCH = 50


def spectra(count, rng):
    grid = np.linspace(0, 1, CHANNELS)
    out = np.zeros((count, CHANNELS))
    for i in range(count):
        for _ in range(rng.randint(1, 4)):
            center, width = rng.uniform(0.1, 0.9), rng.uniform(0.03, 0.08)
            out[i] += rng.uniform(0.4, 1.0) * np.exp(-0.5 * ((grid - center) / width) ** 2)
    return out.astype(np.float32)


def dense(x, n_out, name, activation=None):
    n_in = x.get_shape().as_list()[1]
    with tf.variable_scope(name):
        w = tf.get_variable("w", [n_in, n_out],
                            initializer=tf.glorot_uniform_initializer(seed=n_in + n_out))
        b = tf.get_variable("b", [n_out], initializer=tf.zeros_initializer())
    h = tf.matmul(x, w) + b
    return activation(h) if activation else h


def build():
    noisy = tf.placeholder(tf.float32, [None, CHANNELS], name="noisy")
    clean = tf.placeholder(tf.float32, [None, CHANNELS], name="clean")
    h = dense(noisy, 64, "enc1", tf.nn.relu)
    h = dense(h, 24, "enc2", tf.nn.relu)
    h = dense(h, 64, "dec1", tf.nn.relu)
    restored = dense(h, CHANNELS, "dec2")
    loss = tf.reduce_mean(tf.square(restored - clean))
    return noisy, clean, loss


def main():
    rng = np.random.RandomState(0)
    train, valid = spectra(2000, rng), spectra(400, rng)
    valid_noisy = valid + 0.2 * rng.randn(*valid.shape)

    tf.set_random_seed(0)
    noisy, clean, loss = build()
    train_op = tf.train.AdamOptimizer(1e-3).minimize(loss)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print("noise floor (mse of the noisy input) %.4f" % np.mean((valid_noisy - valid) ** 2))
        for epoch in range(1, 31):
            order = rng.permutation(len(train))
            losses = []
            for start in range(0, len(order), BATCH):
                batch = train[order[start:start + BATCH]]
                feed = {noisy: batch + 0.2 * rng.randn(*batch.shape), clean: batch}
                losses.append(sess.run([train_op, loss], feed)[1])
            if epoch % 5 == 0:
                val = sess.run(loss, {noisy: valid_noisy, clean: valid})
                print("epoch %2d  train mse %.5f  valid mse %.5f" % (epoch, np.mean(losses), val))


if __name__ == "__main__":
    main()
