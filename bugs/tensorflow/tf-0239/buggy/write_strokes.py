"""Learns to continue strokes of a pen and logs how training goes."""

import numpy as np
import tensorflow as tf

from strokes import make_strokes

EPOCHS, BATCH, HELD_OUT = 120, 8, 56


def make_model():
    return tf.keras.Sequential(
        [
            tf.keras.layers.GRU(64, return_sequences=True),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(2),
        ]
    )


def mean_error(model, strokes):
    return tf.reduce_mean(tf.square(model(strokes[:, :-1]) - strokes[:, 1:]))


@tf.function
def step(model, optimizer, strokes):
    with tf.GradientTape() as tape:
        loss = mean_error(model, strokes)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train(seed=0, epochs=EPOCHS):
    tf.random.set_seed(seed)
    random = np.random.default_rng(seed)
    strokes = make_strokes()
    training = strokes[HELD_OUT:]
    model, log = make_model(), []
    model.build((None, None, 2))
    optimizer = tf.keras.optimizers.Adam(0.01)
    for epoch in range(epochs):
        order = random.permutation(len(training))
        losses = [
            step(model, optimizer, training[order[first : first + BATCH]]).numpy()
            for first in range(0, len(training), BATCH)
        ]
        log.append({"epoch": epoch, "loss": float(np.mean(losses))})
        if epoch % 30 == 29:
            print(", ".join(f"{name} {number:.4g}" for name, number in log[-1].items()))
    return model, log


if __name__ == "__main__":
    train()
