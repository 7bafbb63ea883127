"""Learns a latent model of a pendulum from recorded transitions, in the manner of MuZero."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

from networks import WorldModel
from pendulum import roll_out

BATCH = 64


def model_loss(world, state, action, next_state, reward):
    code = world.encoder(state)
    predicted = world.dynamics(tf.concat([code, action], axis=1))
    target = tf.stop_gradient(world.encoder(next_state))
    consistency = tf.reduce_mean(tf.square(predicted - target))
    return consistency + tf.reduce_mean(tf.square(world.reward(predicted) - reward))


def update(world, optimizer, batch):
    with tf.GradientTape(persistent=True) as tape:
        loss = model_loss(world, *batch)
    for part in world.parts:
        gradients = tape.gradient(loss, part.trainable_variables)
        optimizer.apply_gradients(zip(gradients, part.trainable_variables))
    return float(loss)


def main(seed=0, epochs=2):
    tf.random.set_seed(seed)
    world = WorldModel()
    optimizer = keras.optimizers.Adam(3e-3, clipnorm=1.0)
    table = roll_out(1024, seed)
    data = tf.data.Dataset.from_tensor_slices(tuple(table)).shuffle(1024, seed=seed).batch(BATCH)
    for epoch in range(epochs):
        losses = [update(world, optimizer, batch) for batch in data]
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}")
    return losses


if __name__ == "__main__":
    main()
