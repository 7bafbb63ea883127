"""Teaches a cart to park in the middle of a line: an actor and a critic learn from random drives."""

import numpy as np
import tensorflow as tf

DISCOUNT = 0.9
PARKED = 0.1


def move(positions, pushes):
    return np.clip(positions + 0.3 * pushes, -1.0, 1.0)


def drive_randomly(count, seed):
    """Transitions of a cart that is pushed at random; a drive is done once the cart is parked."""
    random = np.random.RandomState(seed)
    positions = random.uniform(-1.0, 1.0, (count, 1))
    pushes = random.uniform(-1.0, 1.0, (count, 1))
    next_positions = move(positions, pushes)
    rewards = -np.abs(next_positions)
    dones = (np.abs(next_positions) < PARKED).astype(float)
    moves = [array.astype(np.float32) for array in (positions, pushes, rewards, next_positions)]
    return tf.data.Dataset.from_tensor_slices((*moves, dones))


def build_network(inputs, activation):
    return tf.keras.Sequential([
        tf.keras.layers.Dense(32, activation="relu", input_shape=(inputs,)),
        tf.keras.layers.Dense(1, activation=activation),
    ])


def critic_loss(actor, critic, positions, pushes, rewards, next_positions, dones):
    """Squared difference between the value of a move and what the next move is worth."""
    next_values = critic(tf.concat([next_positions, actor(next_positions)], axis=1))
    not_dones = 1.0 - tf.cast(dones, tf.float32)
    targets = tf.stop_gradient(rewards + not_dones * DISCOUNT * next_values)
    values = critic(tf.concat([positions, pushes], axis=1))
    return tf.reduce_mean(tf.square(targets - values))


def actor_loss(actor, critic, positions):
    return -tf.reduce_mean(critic(tf.concat([positions, actor(positions)], axis=1)))


def train(actor, critic, drives, epochs=6, batch_size=64):
    actor_optimizer = tf.keras.optimizers.Adam(0.01)
    critic_optimizer = tf.keras.optimizers.Adam(0.02)
    for _ in range(epochs):
        for positions, *rest in drives.shuffle(1024).batch(batch_size):
            with tf.GradientTape() as tape:
                loss = critic_loss(actor, critic, positions, *rest)
            gradients = tape.gradient(loss, critic.trainable_variables)
            critic_optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
            with tf.GradientTape() as tape:
                loss = actor_loss(actor, critic, positions)
            gradients = tape.gradient(loss, actor.trainable_variables)
            actor_optimizer.apply_gradients(zip(gradients, actor.trainable_variables))


def main(seed=0):
    tf.random.set_seed(seed)
    actor, critic = build_network(1, "tanh"), build_network(2, None)
    train(actor, critic, drive_randomly(1024, seed))
    positions = np.linspace(-1.0, 1.0, 41)[:, np.newaxis]
    for _ in range(10):
        positions = move(positions, actor(positions).numpy())
    distance = np.abs(positions).mean()
    print("mean distance from the middle after ten pushes: %.3f" % distance)
    return distance


if __name__ == "__main__":
    main()
