"""Trains a sequence classifier with a loop of its own and reports accuracy for each epoch."""

import numpy as np
import tensorflow as tf

import sequences

keras = tf.keras


class Trainer:
    """Model, optimizer and the metrics that are shown after every epoch."""

    def __init__(self):
        self.model = keras.Sequential([
            keras.layers.Embedding(sequences.TOKENS, 8),
            keras.layers.GlobalAveragePooling1D(),
            keras.layers.Dense(16, activation="relu"),
            keras.layers.Dense(2),
        ])
        self.loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.optimizer = keras.optimizers.Adam(0.002)
        self.train_accuracy = keras.metrics.SparseCategoricalAccuracy()
        self.val_accuracy = keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def train_step(self, tokens, labels):
        with tf.GradientTape() as tape:
            scores = self.model(tokens, training=True)
            loss = self.loss(labels, scores)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        self.train_accuracy.update_state(labels, scores)

    @tf.function
    def val_step(self, tokens, labels):
        self.val_accuracy.update_state(labels, self.model(tokens, training=False))

    def run_epoch(self, train, validation):
        self.train_accuracy.reset_state()
        self.val_accuracy.reset_state()
        for tokens, labels in train:
            self.train_step(tokens, labels)
        for tokens, labels in validation:
            self.val_step(tokens, labels)
        return float(self.train_accuracy.result()), float(self.val_accuracy.result())


def batches(data, size, shuffle=False):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    if shuffle:
        dataset = dataset.shuffle(len(data[0]))
    return dataset.batch(size)


def run(seed=0, epochs=8, validation=None):
    """Trains and returns the model with the accuracies (training, validation) of each epoch."""
    keras.utils.set_random_seed(seed)
    train = sequences.make_sequences(512, seed)
    validation = validation or sequences.make_sequences(256, seed + 50000)
    trainer = Trainer()
    reported = []
    for epoch in range(epochs):
        reported.append(trainer.run_epoch(batches(train, 32, shuffle=True), batches(validation, 64)))
        print("epoch %d: accuracy %.3f, validation %.3f" % (epoch + 1, *reported[-1]))
    return trainer.model, reported


if __name__ == "__main__":
    model, _ = run()
    tokens, labels = sequences.make_sequences(256, 50000)
    print("predictions that are right at the end: %.3f" % np.mean(np.argmax(model(tokens), 1) == labels))
