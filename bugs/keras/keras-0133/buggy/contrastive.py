"""Contrastive training of an encoder with a training step of its own."""

import keras
import tensorflow as tf
from keras import layers, ops

from gait_pairs import WINDOW


def build_encoder(size=24):
    return keras.Sequential(
        [
            keras.Input(shape=(WINDOW, 1)),
            layers.Conv1D(24, 7, strides=2, activation="relu", padding="same"),
            layers.Conv1D(32, 5, strides=2, activation="relu", padding="same"),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
            layers.Dense(size),
        ],
        name="encoder",
    )


class ContrastiveModel(keras.Model):
    """Pulls the two windows of a walker together and pushes the other walkers of the batch away."""

    def __init__(self, encoder, temperature=0.1, **kwargs):
        super().__init__(**kwargs)
        self.encoder = encoder
        self.temperature = temperature
        self.loss_tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.loss_tracker]

    def call(self, windows):
        codes = ops.cast(self.encoder(windows), "float32")
        return ops.normalize(codes, axis=-1)

    def pair_loss(self, first, second):
        similarity = ops.matmul(first, ops.transpose(second)) / self.temperature
        own = ops.arange(ops.shape(first)[0])
        there = keras.losses.sparse_categorical_crossentropy(own, similarity, from_logits=True)
        back = keras.losses.sparse_categorical_crossentropy(own, ops.transpose(similarity), from_logits=True)
        return ops.mean(there + back) / 2.0

    def train_step(self, data):
        first, second = data
        with tf.GradientTape() as tape:
            loss = self.pair_loss(self(first), self(second))
        gradients = tape.gradient(loss, self.encoder.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.encoder.trainable_weights))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}
