"""Trains a network that predicts a diagnosis and says how well it will do on new patients."""

import tensorflow as tf

from patients import VALUES, examine
from pipeline import split


class Diagnosis(tf.Module):
    def __init__(self, hidden=64):
        super().__init__()
        init = tf.random.normal
        self.w1 = tf.Variable(init([VALUES, hidden]) * VALUES**-0.5)
        self.b1 = tf.Variable(tf.zeros([hidden]))
        self.w2 = tf.Variable(init([hidden, 1]) * hidden**-0.5)
        self.b2 = tf.Variable(tf.zeros([1]))

    def __call__(self, values):
        hidden = tf.nn.relu(values @ self.w1 + self.b1)
        return tf.squeeze(hidden @ self.w2 + self.b2, axis=-1)


def make_step(model, optimizer):
    @tf.function
    def step(values, labels):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, model(values)))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    return step


def accuracy(model, batches):
    right = total = 0
    for values, labels in batches:
        right += int(tf.reduce_sum(tf.cast((model(values) > 0) == (labels > 0.5), tf.int32)))
        total += len(labels)
    return right / total


def main(seed=0, epochs=25):
    """Returns the model and the accuracy that is expected of it."""
    tf.random.set_seed(seed)
    training, validation = split(*examine(240, seed))
    model = Diagnosis()
    step = make_step(model, tf.keras.optimizers.Adam(0.01))
    for epoch in range(epochs):
        for values, labels in training:
            loss = step(values, labels)
        if epoch % 8 == 0:
            print("epoch %d: loss %.3f, validation accuracy %.3f" % (epoch, loss, accuracy(model, validation)))
    expected = accuracy(model, validation)
    print("expected accuracy on new patients: %.3f" % expected)
    return model, expected


if __name__ == "__main__":
    main()
