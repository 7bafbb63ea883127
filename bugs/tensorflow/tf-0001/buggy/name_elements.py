"""Names the element in a measured light spectrum, with a network of one hidden layer."""

import numpy as np
import tensorflow as tf

BINS = 48
ELEMENTS = 6
LINES = 3


def line_positions():
    """Where each element shines: three bins, the same in every experiment."""
    return np.random.RandomState(42).permutation(BINS)[:ELEMENTS * LINES].reshape(ELEMENTS, LINES)


def measure_spectra(count, rng):
    """Spectra of dim and bright lamps, and the element of each in one-hot form."""
    elements = rng.randint(ELEMENTS, size=count)
    spectra = rng.normal(scale=0.2, size=(count, BINS))
    brightness = np.exp(rng.uniform(-0.5, 3.0, size=count))
    for spectrum, lines, light in zip(spectra, line_positions()[elements], brightness):
        spectrum[lines] += light * rng.uniform(0.5, 1.0, size=LINES)
    return spectra.astype(np.float32), np.eye(ELEMENTS, dtype=np.float32)[elements]


def build_graph(hidden=64):
    spectra = tf.placeholder(tf.float32, [None, BINS])
    labels = tf.placeholder(tf.float32, [None, ELEMENTS])
    w1 = tf.Variable(tf.truncated_normal([BINS, hidden], stddev=0.1))
    b1 = tf.Variable(tf.zeros([hidden]))
    w2 = tf.Variable(tf.truncated_normal([hidden, ELEMENTS], stddev=0.1))
    b2 = tf.Variable(tf.zeros([ELEMENTS]))
    logits = tf.matmul(tf.nn.relu(tf.matmul(spectra, w1) + b1), w2) + b2
    cross_entropy = -tf.reduce_sum(labels * tf.log(tf.nn.softmax(logits)), axis=1)
    loss = tf.reduce_mean(cross_entropy)
    step = tf.train.AdamOptimizer(0.01).minimize(loss)
    hits = tf.equal(tf.argmax(logits, 1), tf.argmax(labels, 1))
    return spectra, labels, loss, step, tf.reduce_mean(tf.cast(hits, tf.float32))


def train(seed, steps=300, batch_size=50, report_every=None):
    """Returns the loss of every step and the accuracy on 200 spectra not trained on."""
    tf.reset_default_graph()
    tf.set_random_seed(seed)
    rng = np.random.RandomState(seed)
    x_train, y_train = measure_spectra(500, rng)
    x_test, y_test = measure_spectra(200, rng)
    spectra, labels, loss, step, accuracy = build_graph()
    losses = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for i in range(steps):
            batch = rng.randint(len(x_train), size=batch_size)
            value, _ = session.run([loss, step], {spectra: x_train[batch], labels: y_train[batch]})
            losses.append(float(value))
            if report_every and i % report_every == 0:
                print("step %d: loss %.6f" % (i, value))
        return losses, session.run(accuracy, {spectra: x_test, labels: y_test})


if __name__ == "__main__":
    history, final_accuracy = train(seed=0, report_every=20)
    print("accuracy on new spectra %.3f" % final_accuracy)
