"""Learns to find sequences with a motif."""

import numpy as np
import tensorflow as tf

from best_epoch import Best
from genes import read_sequences

loss_of = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def build():
    layers = tf.keras.layers
    return tf.keras.Sequential([layers.Conv1D(16, 5, activation="relu"), layers.GlobalMaxPooling1D(), layers.Dense(1)])


def make_step(model, optimizer):
    @tf.function
    def step(sequences, labels):
        with tf.GradientTape() as tape:
            loss = loss_of(labels[:, None], model(sequences, training=True))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

    return step


def train(seed=0, epochs=4):
    tf.keras.utils.set_random_seed(seed)
    model, optimizer, best = build(), tf.keras.optimizers.Adam(0.01), Best()
    step = make_step(model, optimizer)
    data = tf.data.Dataset.from_tensor_slices(read_sequences(500, seed)).shuffle(500).batch(25)
    sequences, labels = read_sequences(200, seed + 50)
    for epoch in range(epochs):
        for batch in data:
            step(*batch)
        loss = float(loss_of(labels[:, None], model(sequences)))
        print("epoch %d: validation loss %.3f" % (epoch + 1, loss))
        best.update(loss, model, optimizer)
    best.restore(model, optimizer)
    return model, optimizer


if __name__ == "__main__":
    train()
