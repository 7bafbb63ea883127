"""Trains a model that says phrases backwards."""

import tensorflow as tf

from model import Paraphraser
from phrases import make_phrases


def distance(predicted, targets):
    return tf.reduce_mean(tf.reduce_sum(tf.square(predicted - targets), axis=-1))


def train(model, data, epochs):
    optimizer = tf.keras.optimizers.Adam(0.005)
    for epoch in range(epochs):
        for source, shifted, targets in data:
            with tf.GradientTape() as tape:
                predicted = model(source, shifted)
                loss = distance(predicted, targets)
            gradients = tape.gradient(loss, model.trainable_variables)
            gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        print("epoch %d: %.3f" % (epoch + 1, loss))


def main(seed=0, epochs=2):
    tf.keras.utils.set_random_seed(seed)
    data = tf.data.Dataset.from_tensor_slices(make_phrases(200, seed)).shuffle(200).batch(40)
    model = Paraphraser()
    train(model, data, epochs)
    return model


if __name__ == "__main__":
    main()
