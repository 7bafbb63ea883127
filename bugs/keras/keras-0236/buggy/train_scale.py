"""Trains the network in a loop of its own, with two losses."""

import keras
import numpy as np
import tensorflow as tf

from model import build_model
from parcels import load


def huber(truth, predicted):
    return tf.reduce_mean(keras.losses.huber(truth, predicted))


def negative_weights(predicted):
    """No parcel is lighter than minus five (the scale is set to the mean)."""
    return tf.reduce_mean(tf.nn.relu(-5.0 - predicted))


def make_step(model, optimizer):
    @tf.function
    def step(signals, weight):
        with tf.GradientTape() as tape:
            predicted = model(signals, training=True)
            loss = huber(weight, predicted) + negative_weights(predicted)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    return step


def train(epochs=60, batch_size=20):
    signals, weight = load(120, seed=1)
    model = build_model()
    step = make_step(model, keras.optimizers.Adam(0.01))
    batches = tf.data.Dataset.from_tensor_slices((signals, weight)).shuffle(120, seed=1).batch(batch_size)
    for _ in range(epochs):
        losses = [float(step(*batch)) for batch in batches]
    print("training loss %.4f" % np.mean(losses))
    return model


def squared_weights(model):
    return sum(float(tf.reduce_sum(layer.kernel**2)) for layer in model.layers)


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    model = train()
    signals, weight = load(300, seed=2)
    error = np.mean((np.asarray(model(signals)) - weight) ** 2)
    print("sum of squared weights %.2f, new parcels: mean squared error %.3f" % (squared_weights(model), error))
