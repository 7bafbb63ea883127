"""Tells engines apart by their sound."""

import tensorflow as tf

from pipeline import pipeline, spectrum
from sounds import NAMES, record


def train(seed=0, epochs=10):
    tf.keras.utils.set_random_seed(seed)
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(len(NAMES))])
    optimizer = tf.keras.optimizers.Adam(0.003)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    data = pipeline(*record(600, seed))

    @tf.function
    def step(spectra, labels):
        with tf.GradientTape() as tape:
            loss = loss_of(labels, model(spectra, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    for epoch in range(epochs):
        loss = tf.reduce_mean([step(*batch) for batch in data])
        if epoch % 5 == 4:
            print("epoch %d: loss %.3f" % (epoch + 1, loss))
    return model


def name_engines(model, waves):
    return NAMES[tf.argmax(model(spectrum(waves)), axis=1).numpy()]


def main():
    model = train()
    waves, names = record(200, 1000)
    print("new sounds: %.3f" % (name_engines(model, waves) == names).mean())


if __name__ == "__main__":
    main()
