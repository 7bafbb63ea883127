"""Learns to tell rows, columns and crosses in tiny noisy images apart and prints the confusion matrix."""

import numpy as np
import tensorflow as tf

SHAPES = ("row", "column", "cross")
SIZE = 8


def draw_images(count, seed):
    """Grey images of SIZE x SIZE with one shape each, and the index of its name."""
    random = np.random.RandomState(seed)
    images = random.normal(0.0, 0.25, (count, SIZE, SIZE)).astype(np.float32)
    labels = random.randint(len(SHAPES), size=count)
    for image, label in zip(images, labels):
        if SHAPES[label] in ("row", "cross"):
            image[random.randint(SIZE), :] += 1.0
        if SHAPES[label] in ("column", "cross"):
            image[:, random.randint(SIZE)] += 1.0
    return images[..., np.newaxis], labels


def build_model():
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(16, 3, activation="relu", input_shape=(SIZE, SIZE, 1)),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(len(SHAPES)),
    ])


def train(model, images, labels):
    model.compile(
        optimizer=tf.keras.optimizers.Adam(0.01),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    model.fit(images, labels, batch_size=32, epochs=8, verbose=0)


def confusion(model, images, labels):
    """How often each shape (row of the table) was taken for which (column)."""
    predicted = tf.argmax(model(images), axis=1)
    table = tf.math.confusion_matrix(labels, predicted, num_classes=len(SHAPES))
    with tf.Session() as session:
        return session.run(table)


def main(seed=0):
    images, labels = draw_images(640, seed)
    model = build_model()
    train(model, images[:512], labels[:512])
    table = confusion(model, images[512:], labels[512:])
    for name, counts in zip(SHAPES, table):
        print("%-7s %s" % (name, " ".join("%4d" % count for count in counts)))
    return table


if __name__ == "__main__":
    main()
