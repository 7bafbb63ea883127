"""Trains the network and writes it for the service."""

import tensorflow as tf

from leaves import SORTS, pluck


class Exported(tf.Module):
    """What the service loads: the network and its one function."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    @tf.function(input_signature=[tf.TensorSpec([None, 6], tf.float32)])
    def classify(self, leaves):
        return self.network(leaves)


def build():
    layers = tf.keras.layers
    network = tf.keras.Sequential([layers.Dense(16, activation="relu"), layers.Dense(len(SORTS))])
    network.build([None, 6])
    return network


def train_and_export(folder, seed=0, epochs=10):
    tf.random.set_seed(seed)
    network, optimizer = build(), tf.keras.optimizers.Adam(0.01)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    data = tf.data.Dataset.from_tensor_slices(pluck(900, seed)).shuffle(900).batch(30)

    @tf.function
    def step(leaves, sorts):
        with tf.GradientTape() as tape:
            loss = loss_of(sorts, network(leaves))
        variables = network.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    for _ in range(epochs):
        for batch in data:
            loss = step(*batch)
    print("loss %.3f" % loss)
    tf.saved_model.save(Exported(network), folder)
