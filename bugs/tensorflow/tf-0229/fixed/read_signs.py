"""Reads the direction of arrows on road signs."""

import numpy as np
import tensorflow as tf

from pipeline import batches
from signs import DIRECTIONS, drive_past


def build():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Conv2D(8, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(16, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(32, activation="relu"),
            layers.Dense(len(DIRECTIONS)),
        ]
    )


def train(seed=0, epochs=12):
    tf.keras.utils.set_random_seed(seed)
    model, optimizer = build(), tf.keras.optimizers.Adam(0.003)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    data = batches(*drive_past(600, seed))

    @tf.function
    def step(images, labels):
        with tf.GradientTape() as tape:
            loss = loss_of(labels, model(images, training=True))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    for epoch in range(epochs):
        loss = np.mean([step(*batch) for batch in data])
        if epoch % 4 == 3:
            print("epoch %d: loss %.3f" % (epoch + 1, loss))
    return model


def main():
    model = train()
    images, labels = drive_past(300, 800)
    read = np.argmax(model(images), axis=1)
    for label, direction in enumerate(DIRECTIONS):
        print("%s: %.2f right" % (direction, (read == label)[labels == label].mean()))


if __name__ == "__main__":
    main()
