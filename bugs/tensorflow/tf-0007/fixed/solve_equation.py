"""Solves y'(x) = cos(x) with y(0) = 0 on [0, 2 pi] by a network trained on the equation itself."""

import numpy as np
import tensorflow as tf

END = 2.0 * np.pi
GRID = np.linspace(0.0, END, 101).astype(np.float32)


def build_network():
    return tf.keras.Sequential([
        tf.keras.layers.Rescaling(2.0 / END, offset=-1.0, input_shape=(1,)),
        tf.keras.layers.Dense(24, activation="tanh"),
        tf.keras.layers.Dense(24, activation="tanh"),
        tf.keras.layers.Dense(1),
    ])


def equation_loss(network, x):
    """How far the network is from meeting the equation at the points x, and the start value."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = network(x)
    slope = tape.gradient(y, x)
    residual = slope - tf.cos(x)
    start = network(tf.zeros([1, 1]))
    return tf.reduce_mean(tf.square(residual)) + tf.reduce_mean(tf.square(start))


def train(network, epochs=40, batch_size=16):
    optimizer = tf.keras.optimizers.Adam(0.02)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = equation_loss(network, x)
        gradients = tape.gradient(loss, network.trainable_variables)
        optimizer.apply_gradients(zip(gradients, network.trainable_variables))
        return loss

    points = tf.data.Dataset.from_tensor_slices(GRID[:, np.newaxis])
    batches = points.shuffle(len(GRID)).batch(batch_size, drop_remainder=True)
    losses = []
    for _ in range(epochs):
        losses.append(np.mean([step(x).numpy() for x in batches]))
    return losses


def solve(seed=0):
    """Trains a network; returns its losses, its solution on the grid and the exact solution there."""
    tf.random.set_seed(seed)
    network = build_network()
    losses = train(network)
    return losses, network(GRID[:, np.newaxis]).numpy()[:, 0], np.sin(GRID)


if __name__ == "__main__":
    losses, solution, exact = solve()
    print("loss: %.4f at first, %.4f at last" % (losses[0], losses[-1]))
    for index in range(0, len(GRID), 20):
        print("y(%.2f) = %6.3f   exact %6.3f" % (GRID[index], solution[index], exact[index]))
