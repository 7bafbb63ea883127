"""Predicts the yield of fields; large fields count more."""

import numpy as np
import tensorflow as tf

from fields import survey


def build(penalty=0.2):
    l2 = tf.keras.regularizers.L2(penalty)
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [layers.Dense(64, activation="relu", kernel_regularizer=l2), layers.Dense(1, kernel_regularizer=l2)]
    )


def make_step(model, optimizer):
    @tf.function
    def step(fields, yields, areas):
        with tf.GradientTape() as tape:
            errors = tf.square(model(fields, training=True)[:, 0] - yields)
            loss = tf.reduce_sum(areas * errors) / tf.reduce_sum(areas)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    return step


def train(seed=0, epochs=100):
    tf.keras.utils.set_random_seed(seed)
    model = build()
    step = make_step(model, tf.keras.optimizers.Adam(0.005))
    data = tf.data.Dataset.from_tensor_slices(survey(150, seed)).shuffle(150).batch(25)
    for epoch in range(epochs):
        losses = [step(*batch) for batch in data]
        if epoch % 25 == 24:
            print("epoch %d: loss %.4f" % (epoch + 1, np.mean(losses)))
    return model


def error(model, fields, yields):
    return float(np.mean((model(fields).numpy()[:, 0] - yields) ** 2))


def main():
    model = train()
    fields, yields, _ = survey(300, 900)
    print("other fields: %.3f" % error(model, fields, yields))


if __name__ == "__main__":
    main()
