"""Learns to predict the water level of the next hour."""

import time

import tensorflow as tf

from network import TideTable
from tides import windows


def train_epoch(model, optimizer, data):
    loss_of = tf.keras.losses.MeanSquaredError()

    @tf.function
    def step(parts, levels):
        with tf.GradientTape() as tape:
            loss = loss_of(levels, model(parts))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    return float(tf.reduce_mean([step(*batch) for batch in data]))


def train(seed=0, epochs=12, count=512):
    tf.random.set_seed(seed)
    model, optimizer = TideTable(), tf.keras.optimizers.Adam(0.01)
    data = tf.data.Dataset.from_tensor_slices(windows(count, seed)).shuffle(count).batch(64)
    for epoch in range(epochs):
        start = time.time()
        loss = train_epoch(model, optimizer, data)
        print("epoch %d: loss %.4f, %.1f s" % (epoch + 1, loss, time.time() - start))
    return model


if __name__ == "__main__":
    train()
