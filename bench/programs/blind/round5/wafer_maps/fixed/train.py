"""Failure patterns on wafer maps: tf.data input and a hand written loop."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SIZE = 20
PATTERNS = ["none", "centre", "edge_ring", "scratch", "quadrant"]
BATCH = 32
EPOCHS = 6


def make_pattern(kind, n, rng):
    yy, xx = np.mgrid[:SIZE, :SIZE] - (SIZE - 1) / 2
    radius = np.hypot(yy, xx)
    maps = np.zeros((n, SIZE, SIZE), dtype="float32")
    for i in range(n):
        p = np.full((SIZE, SIZE), 0.1)
        if kind == "centre":
            p[radius < rng.uniform(3, 5)] = 0.45
        elif kind == "edge_ring":
            p[(radius > 7.5) & (radius < 9.5)] = 0.4
        elif kind == "scratch":
            a = rng.uniform(0, np.pi)
            dist = np.abs(np.cos(a) * yy + np.sin(a) * xx - rng.uniform(-4, 4))
            p[dist < 1.0] = 0.55
        elif kind == "quadrant":
            p[(yy * rng.choice([-1, 1]) > 0) & (xx * rng.choice([-1, 1]) > 0)] = 0.35
        maps[i] = (rng.random((SIZE, SIZE)) < p) * (radius < 9.8)
    return maps


def load_lot(per_class, seed):
    """One lot of wafers as delivered by the tester: one block per failure pattern."""
    rng = np.random.default_rng(seed)
    x = np.concatenate([make_pattern(kind, per_class, rng) for kind in PATTERNS])
    y = np.repeat(np.arange(len(PATTERNS)), per_class)
    return x[..., None], y


def build_model():
    return tf.keras.Sequential([
        layers.Conv2D(16, 3, activation="relu", input_shape=(SIZE, SIZE, 1)),
        layers.MaxPooling2D(),
        layers.Conv2D(32, 3, activation="relu"),
        layers.Flatten(),
        layers.Dropout(0.3),
        layers.Dense(48, activation="relu"),
        layers.Dense(len(PATTERNS)),
    ])


tf.random.set_seed(3)
x_train, y_train = load_lot(500, seed=1)
x_val, y_val = load_lot(100, seed=2)
train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(len(x_train)).batch(BATCH).prefetch(1)
val_ds = tf.data.Dataset.from_tensor_slices((x_val, y_val)).batch(100)

model = build_model()
optimizer = tf.keras.optimizers.Adam(1e-3)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
train_loss = tf.keras.metrics.Mean()
train_acc = tf.keras.metrics.SparseCategoricalAccuracy()
val_acc = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_fn(y, logits)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    train_loss.update_state(loss)
    train_acc.update_state(y, logits)


@tf.function
def val_step(x, y):
    val_acc.update_state(y, model(x, training=False))


for epoch in range(EPOCHS):
    for metric in (train_loss, train_acc, val_acc):
        metric.reset_states()
    for x, y in train_ds:
        train_step(x, y)
    for x, y in val_ds:
        val_step(x, y)
    print("epoch %d  loss %.4f  acc %.3f  val acc %.3f"
          % (epoch + 1, train_loss.result(), train_acc.result(), val_acc.result()))

pred = model.predict(x_val).argmax(axis=1)
for k, name in enumerate(PATTERNS):
    print("  %-9s recall %.2f" % (name, (pred[y_val == k] == k).mean()))
