"""Learns to map the ground from aerial photos."""

import tensorflow as tf

from pipeline import batches
from scenes import GROUND, fly_over


def build():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Conv2D(16, 3, padding="same", activation="relu"),
            layers.Conv2D(16, 3, padding="same", activation="relu"),
            layers.Conv2D(len(GROUND), 1),
        ]
    )


def train(seed=0, epochs=8):
    tf.keras.utils.set_random_seed(seed)
    model, optimizer = build(), tf.keras.optimizers.Adam(0.005)
    cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    data = batches(*fly_over(80, seed))

    @tf.function
    def step(photos, masks):
        with tf.GradientTape() as tape:
            loss = cross_entropy(masks, model(photos, training=True))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    for epoch in range(epochs):
        losses = [step(photos, masks) for photos, masks in data]
        print("epoch %d: loss %.3f" % (epoch + 1, tf.reduce_mean(losses)))
    return model


if __name__ == "__main__":
    train()
