"""Trains an autoencoder that removes noise from short waves and logs its loss for TensorBoard."""

import tempfile

import numpy as np
import tensorflow as tf

LENGTH = 32


def make_waves(count, seed):
    """Sine waves of random frequency and phase, with and without noise."""
    random = np.random.RandomState(seed)
    frequency = random.uniform(1.0, 3.0, (count, 1))
    phase = random.uniform(0.0, 2.0 * np.pi, (count, 1))
    clean = np.sin(2.0 * np.pi * frequency * np.arange(LENGTH) / LENGTH + phase)
    noisy = clean + random.normal(0.0, 0.3, clean.shape)
    return noisy.astype(np.float32), clean.astype(np.float32)


def build_autoencoder():
    return tf.keras.Sequential([
        tf.keras.layers.Dense(16, activation="relu", input_shape=(LENGTH,)),
        tf.keras.layers.Dense(LENGTH),
    ])


def make_train_step(model, writer):
    optimizer = tf.keras.optimizers.SGD(0.5, momentum=0.9)

    @tf.function
    def train_step(noisy, clean, step):
        with tf.GradientTape() as tape:
            restored = model(noisy, training=True)
            loss = tf.reduce_mean(tf.square(restored - clean))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        with writer.as_default():
            tf.summary.scalar("loss", loss, step=step)
        return loss

    return train_step


def train(model, noisy, clean, folder, epochs=2, batch_size=64):
    writer = tf.summary.create_file_writer(folder)
    train_step = make_train_step(model, writer)
    data = tf.data.Dataset.from_tensor_slices((noisy, clean)).shuffle(len(noisy))
    batches = data.batch(batch_size, drop_remainder=True).repeat(epochs)
    losses = []
    for step, (noisy_batch, clean_batch) in enumerate(batches):
        losses.append(float(train_step(noisy_batch, clean_batch, step)))
    writer.close()
    return losses


def main(seed=0):
    tf.random.set_seed(seed)
    noisy, clean = make_waves(512, seed)
    model = build_autoencoder()
    with tempfile.TemporaryDirectory() as folder:
        losses = train(model, noisy, clean, folder)
    print("loss: %.3f at first, %.3f at last" % (losses[0], losses[-1]))
    return losses


if __name__ == "__main__":
    main()
