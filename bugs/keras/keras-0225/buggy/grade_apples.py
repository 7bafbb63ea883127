"""Grades apples by weight, colour and firmness."""

import machine  # noqa: F401, I001 - sets the environment before TensorFlow is loaded

import numpy as np
import tensorflow as tf

GRADES = 3


def apples(count, seed):
    rng = np.random.default_rng(seed)
    measured = rng.normal(0.0, 1.0, (count, 3)).astype("float32")
    quality = measured @ np.array([0.9, 1.2, 0.7]) + rng.normal(0.0, 0.2, count)
    return measured, np.digitize(quality, [-0.8, 0.8])


def build_grader():
    grader = tf.keras.Sequential(
        [
            tf.keras.layers.Input(shape=(3,)),
            tf.keras.layers.Dense(16, activation="relu"),
            tf.keras.layers.Dense(GRADES, activation="softmax"),
        ]
    )
    grader.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return grader


def main():
    grader = build_grader()
    grader.fit(*apples(400, seed=0), batch_size=20, epochs=5, verbose=0)
    print("loss %.2f, accuracy %.2f" % tuple(grader.evaluate(*apples(200, seed=1), verbose=0)))


if __name__ == "__main__":
    main()
