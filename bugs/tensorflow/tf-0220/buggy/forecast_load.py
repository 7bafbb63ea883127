"""Forecasts the load of a power grid one hour ahead; training is spread over two devices."""

import numpy as np
import tensorflow as tf

WINDOW = 24


def hourly_load(hours, seed):
    rng = np.random.default_rng(seed)
    hour = np.arange(hours)
    load = 1.0 + 0.4 * np.sin(2 * np.pi * hour / 24) + 0.1 * np.sin(2 * np.pi * hour / 168)
    return (load + rng.normal(0.0, 0.03, hours)).astype("float32")


def windows(load, batch_size):
    inputs = np.stack([load[start:start + WINDOW] for start in range(len(load) - WINDOW)])
    data = tf.data.Dataset.from_tensor_slices((inputs[..., None], load[WINDOW:, None]))
    return data.shuffle(len(inputs)).batch(batch_size, drop_remainder=True)


def build_model():
    return tf.keras.Sequential([
        tf.keras.Input((WINDOW, 1)),
        tf.keras.layers.Conv1D(8, 5, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(1),
    ])


class DistributedTrainer:
    def __init__(self, strategy, model, batch_size):
        self.strategy = strategy
        self.batch_size = batch_size
        self.model = model
        with strategy.scope():
            self.optimizer = tf.keras.optimizers.Adam(0.01)

    def _replica_step(self, inputs, targets):
        with tf.GradientTape() as tape:
            errors = tf.square(self.model(inputs, training=True) - targets)
            loss = tf.nn.compute_average_loss(tf.squeeze(errors, -1), global_batch_size=self.batch_size)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    @tf.function
    def train_step(self, inputs, targets):
        losses = self.strategy.run(self._replica_step, args=(inputs, targets))
        return self.strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    def fit(self, data, epochs):
        data = self.strategy.experimental_distribute_dataset(data)
        for epoch in range(epochs):
            losses = []
            for inputs, targets in data:
                losses.append(float(self.train_step(inputs, targets)))
            print("epoch %d: loss %.4f" % (epoch + 1, np.mean(losses)))


def two_devices():
    """One processor stands for two accelerators."""
    processor = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(processor, [tf.config.LogicalDeviceConfiguration()] * 2)
    return ["/cpu:0", "/cpu:1"]


def main(seed=0, batch_size=64):
    strategy = tf.distribute.MirroredStrategy(two_devices())
    tf.random.set_seed(seed)
    model = build_model()
    model.summary()
    trainer = DistributedTrainer(strategy, model, batch_size)
    trainer.fit(windows(hourly_load(24 * 40, seed), batch_size), epochs=3)


if __name__ == "__main__":
    main()
