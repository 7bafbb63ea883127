"""Calibrate a cheap pressure sensor against a reference, plain TensorFlow 1.15 graph."""
import numpy as np
import tensorflow as tf

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)

BATCH, STEPS = 64, 3000


def measure(n, rng):
    """Raw reading, temperature and age of the sensor; the reference pressure in kPa."""
    pressure = rng.uniform(80, 120, n)
    temp = rng.uniform(-10, 40, n)
    age = rng.uniform(0, 5, n)
    raw = 0.9 * pressure + 0.002 * (pressure - 100) ** 2 + 0.15 * (temp - 20) - 0.8 * age
    raw += 0.004 * (temp - 20) * (pressure - 100) + rng.normal(0, 0.15, n)
    x = np.stack([raw, temp, age], axis=1).astype(np.float32)
    return x, pressure.astype(np.float32)[:, None]


def dense(x, n_out, name, activation=None):
    with tf.variable_scope(name):
        n_in = x.get_shape().as_list()[1]
        w = tf.get_variable('w', [n_in, n_out], initializer=tf.glorot_uniform_initializer(seed=n_out))
        b = tf.get_variable('b', [n_out], initializer=tf.zeros_initializer())
        out = tf.matmul(x, w) + b
        return activation(out) if activation is not None else out


rng = np.random.RandomState(2)
tf.set_random_seed(2)
x_train, y_train = measure(3000, rng)
x_val, y_val = measure(500, rng)
x_test, y_test = measure(500, rng)
x_mean, x_std = x_train.mean(axis=0), x_train.std(axis=0)
y_mean, y_std = y_train.mean(), y_train.std()
x_train, x_val, x_test = [(x - x_mean) / x_std for x in (x_train, x_val, x_test)]
y_train = (y_train - y_mean) / y_std

# graph
inputs = tf.placeholder(tf.float32, [None, 3], name='inputs')
targets = tf.placeholder(tf.float32, [None, 1], name='targets')
hidden = dense(inputs, 32, 'hidden1', tf.nn.tanh)
hidden = dense(hidden, 32, 'hidden2', tf.nn.tanh)
output = dense(hidden, 1, 'output')
loss = tf.reduce_mean(tf.square(output - targets))

step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(3e-3, step, 1000, 0.5)
init = tf.global_variables_initializer()
train_op = tf.train.AdamOptimizer(rate).minimize(loss, global_step=step)


def mae_kpa(sess, x, y):
    pred = sess.run(output, {inputs: x}) * y_std + y_mean
    return np.abs(pred - y).mean()


with tf.Session() as sess:
    sess.run(init)
    running = 0.0
    for i in range(1, STEPS + 1):
        idx = rng.randint(0, len(x_train), BATCH)
        _, value = sess.run([train_op, loss], {inputs: x_train[idx], targets: y_train[idx]})
        running += value
        if i % 500 == 0:
            print('step %d: loss %.5f  val MAE %.3f kPa' % (i, running / 500, mae_kpa(sess, x_val, y_val)))
            running = 0.0
    print('test MAE %.3f kPa' % mae_kpa(sess, x_test, y_test))
