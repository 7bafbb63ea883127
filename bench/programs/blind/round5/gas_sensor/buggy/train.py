"""Gas identification from a drifting sensor array (TensorFlow 1 graph)."""
import numpy as np
import tensorflow as tf

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)

N_SENSORS = 16
GASES = ["ethanol", "acetone", "ammonia", "toluene", "methane"]
BATCH = 64
EPOCHS = 15


def make_readings(n, rng):
    """Resistances in kOhm: large offsets per sensor, gas dependent response."""
    sens = np.random.RandomState(77)
    offset = sens.uniform(20, 60, size=N_SENSORS)
    response = sens.normal(0, 4.0, size=(len(GASES), N_SENSORS))
    y = rng.randint(len(GASES), size=n)
    conc = rng.uniform(0.3, 1.5, size=(n, 1))
    x = offset + np.log1p(conc) * response[y] + rng.normal(0, 0.9, size=(n, N_SENSORS))
    return x.astype(np.float32), y.astype(np.int32)


def network(x, training):
    h = tf.layers.batch_normalization(x, momentum=0.9, training=training)
    for width in (64, 32):
        h = tf.layers.dense(h, width, use_bias=False)
        h = tf.layers.batch_normalization(h, momentum=0.9, training=training)
        h = tf.nn.relu(h)
    return tf.layers.dense(h, len(GASES))


def batches(x, y, rng):
    order = rng.permutation(len(x))
    for start in range(0, len(x) - BATCH + 1, BATCH):
        pick = order[start:start + BATCH]
        yield x[pick], y[pick]


def main():
    rng = np.random.RandomState(5)
    tf.set_random_seed(5)
    x_train, y_train = make_readings(3000, rng)
    x_val, y_val = make_readings(600, rng)

    features = tf.placeholder(tf.float32, [None, N_SENSORS], name="features")
    labels = tf.placeholder(tf.int32, [None], name="labels")
    training = tf.placeholder_with_default(False, [], name="training")

    logits = network(features, training)
    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    hits = tf.equal(tf.argmax(logits, 1, output_type=tf.int32), labels)
    accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))

    optimizer = tf.train.AdamOptimizer(2e-3)
    train_op = optimizer.minimize(loss)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(1, EPOCHS + 1):
            losses, accs = [], []
            for xb, yb in batches(x_train, y_train, rng):
                _, l, a = sess.run([train_op, loss, accuracy],
                                   {features: xb, labels: yb, training: True})
                losses.append(l)
                accs.append(a)
            val_loss, val_acc = sess.run([loss, accuracy], {features: x_val, labels: y_val})
            print("epoch %2d  train loss %.4f acc %.3f  val loss %.4f acc %.3f"
                  % (epoch, np.mean(losses), np.mean(accs), val_loss, val_acc))


if __name__ == "__main__":
    main()
