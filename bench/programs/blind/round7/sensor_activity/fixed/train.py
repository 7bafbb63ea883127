"""Activity recognition from a wrist accelerometer (3 axes, 48 samples per window)."""
import numpy as np
import tensorflow as tf

STEPS = 48
ACTIVITIES = ("rest", "walk", "run", "stairs", "cycle")
SEED = 14


def make_windows(n, seed):
    rng = np.random.default_rng(seed)
    freq = np.array([0.2, 1.8, 2.8, 1.5, 1.2])
    power = np.array([0.2, 1.0, 1.5, 1.0, 0.8])
    y = rng.integers(0, len(ACTIVITIES), n)
    t = np.arange(STEPS) / 16.0
    f = freq[y] * rng.normal(1, 0.12, n)
    phase = rng.uniform(0, 2 * np.pi, (n, 3))
    gain = power[y][:, None] * rng.uniform(0.5, 1.5, (n, 3))
    x = gain[:, None, :] * np.sin(2 * np.pi * f[:, None, None] * t[None, :, None] + phase[:, None, :])
    x = x + rng.normal(0, 0.8, x.shape)
    return x.astype("float32"), y.astype("int32")


def make_datasets(x, y, val_count, batch_size):
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    ds = ds.shuffle(len(y), seed=SEED, reshuffle_each_iteration=False)
    val = ds.take(val_count).batch(batch_size)
    train = ds.skip(val_count).shuffle(len(y) - val_count, seed=SEED).batch(batch_size)
    return train.prefetch(2), val.prefetch(2)


class ActivityNet(tf.keras.Model):
    def __init__(self, n_classes):
        super().__init__()
        self.conv1 = tf.keras.layers.Conv1D(48, 7, activation="relu", padding="same")
        self.pool = tf.keras.layers.MaxPooling1D(2)
        self.conv2 = tf.keras.layers.Conv1D(64, 5, activation="relu", padding="same")
        self.flat = tf.keras.layers.Flatten()
        self.dense = tf.keras.layers.Dense(96, activation="relu")
        self.drop = tf.keras.layers.Dropout(0.4)
        self.out = tf.keras.layers.Dense(n_classes)

    def call(self, x, training=False):
        h = self.pool(self.conv1(x))
        h = self.pool(self.conv2(h))
        h = self.drop(self.dense(self.flat(h)), training=training)
        return self.out(h)


def main():
    tf.random.set_seed(SEED)
    x, y = make_windows(2500, seed=SEED)
    train, val = make_datasets(x, y, val_count=500, batch_size=32)

    model = ActivityNet(len(ACTIVITIES))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-3),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    history = model.fit(train, validation_data=val, epochs=10, verbose=2)
    best = int(np.argmax(history.history["val_accuracy"]))
    print("best validation accuracy %.3f in epoch %d" % (history.history["val_accuracy"][best], best + 1))


if __name__ == "__main__":
    main()
