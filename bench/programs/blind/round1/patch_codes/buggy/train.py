# Denoising autoencoder for texture patches (TensorFlow 1 graph mode).
import numpy as np
import tensorflow as tf

PATCH = 10
CODE = 12
BATCH = 50
EPOCHS = 15


def make_patches(count, seed):
    rng = np.random.RandomState(seed)
    yy, xx = np.mgrid[:PATCH, :PATCH]
    out = []
    for _ in range(count):
        angle, freq, phase = rng.uniform(0, np.pi), rng.uniform(0.4, 0.9), rng.uniform(0, 2 * np.pi)
        wave = np.sin(freq * (xx * np.cos(angle) + yy * np.sin(angle)) + phase)
        out.append(0.5 + 0.4 * wave)
    return np.array(out, dtype=np.float32).reshape(count, -1)


def dense(x, units, name, activation=None):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [int(x.shape[1]), units], initializer=tf.glorot_uniform_initializer(seed=1))
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
    y = tf.matmul(x, w) + b
    return activation(y) if activation else y


def build_graph():
    clean = tf.placeholder(tf.float32, [None, PATCH * PATCH], name="clean")
    noisy = tf.placeholder(tf.float32, [None, PATCH * PATCH], name="noisy")
    h = dense(noisy, 64, "enc1", tf.nn.relu)
    code = dense(h, CODE, "code")
    h = dense(code, 64, "dec1", tf.nn.relu)
    output = dense(h, PATCH * PATCH, "out", tf.nn.sigmoid)
    loss = tf.reduce_mean(tf.square(output - clean))
    return clean, noisy, loss


def main():
    tf.set_random_seed(0)
    rng = np.random.RandomState(0)
    train, test = make_patches(3000, 0), make_patches(500, 1)
    test_noisy = test + rng.normal(0, 0.2, test.shape)

    clean, noisy, loss = build_graph()
    init = tf.global_variables_initializer()
    optimizer = tf.train.AdamOptimizer(2e-3)
    train_op = optimizer.minimize(loss)

    with tf.Session() as sess:
        sess.run(init)
        for epoch in range(EPOCHS):
            order = rng.permutation(len(train))
            total = 0.0
            for start in range(0, len(train), BATCH):
                batch = train[order[start:start + BATCH]]
                feed = {clean: batch, noisy: batch + rng.normal(0, 0.2, batch.shape)}
                _, value = sess.run([train_op, loss], feed)
                total += value * len(batch)
            test_loss = sess.run(loss, {clean: test, noisy: test_noisy})
            print("epoch %2d  train mse %.5f  test mse %.5f" % (epoch + 1, total / len(train), test_loss))
    print("mse of the noisy input: %.5f" % np.mean((test_noisy - test) ** 2))


if __name__ == "__main__":
    main()
