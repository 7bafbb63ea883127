"""Predicts from raw station readings whether it rains, with a training loop of its own."""

import numpy as np
import tensorflow as tf


def make_readings(count, seed):
    """Pressure in Pa, temperature in K, relative humidity in % and wind in m/s; 1 where it rained."""
    random = np.random.RandomState(seed)
    deviation = random.normal(size=(count, 4))
    readings = deviation * [600.0, 8.0, 15.0, 3.0] + [101325.0, 288.0, 62.0, 9.0]
    tendency = 1.5 * deviation[:, 2] - 0.5 * deviation[:, 0] - deviation[:, 1] * deviation[:, 3]
    return readings.astype(np.float32), (tendency > 0.0).astype(np.float32)


def build_model():
    return tf.keras.Sequential([
        tf.keras.layers.BatchNormalization(momentum=0.9, input_shape=(4,)),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(1),
    ])


def train(model, readings, rained, epochs=6, batch_size=32):
    loss_function = tf.keras.losses.BinaryCrossentropy(from_logits=True)
    optimizer = tf.keras.optimizers.Adam(0.01)
    losses = tf.keras.metrics.Mean()

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            logits = model(x)
            loss = loss_function(y[:, tf.newaxis], logits)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        losses.update_state(loss)

    data = tf.data.Dataset.from_tensor_slices((readings, rained))
    batches = data.shuffle(len(readings)).batch(batch_size, drop_remainder=True)
    history = []
    for _ in range(epochs):
        losses.reset_states()
        for x, y in batches:
            train_step(x, y)
        history.append(float(losses.result()))
    return history


def accuracy(model, readings, rained):
    predicted = model(readings).numpy()[:, 0] > 0.0
    return float(np.mean(predicted == (rained > 0.5)))


def main(seed=0):
    tf.random.set_seed(seed)
    readings, rained = make_readings(1536, seed)
    model = build_model()
    history = train(model, readings[:1024], rained[:1024])
    print("loss per epoch:", " ".join("%.3f" % loss for loss in history))
    score = accuracy(model, readings[1024:], rained[1024:])
    print("held-out accuracy: %.3f" % score)
    return score


if __name__ == "__main__":
    main()
