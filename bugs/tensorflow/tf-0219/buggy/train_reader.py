"""Trains a reader of hand-drawn symbols on 240 centred scans."""

import tensorflow as tf
from tensorflow import keras

from augment import random_brightness, random_shift
from symbols import SIZE, draw


def make_dataset(images, labels, batch_size=24):
    data = tf.data.Dataset.from_tensor_slices((images, labels)).cache().shuffle(len(images))
    data = data.map(random_shift, num_parallel_calls=tf.data.AUTOTUNE).map(random_brightness)
    return data.batch(batch_size).prefetch(1)


def build_reader():
    model = keras.Sequential([
        keras.Input((SIZE, SIZE, 1)),
        keras.layers.Flatten(),
        keras.layers.Dense(96, activation="relu"),
        keras.layers.Dense(3),
    ])
    model.compile(
        keras.optimizers.Adam(5e-3),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def main(seed=0, epochs=25):
    images, labels = draw(240, seed, wander=0)
    model = build_reader()
    history = model.fit(make_dataset(images, labels), epochs=epochs, verbose=0)
    print("training accuracy %.3f" % history.history["accuracy"][-1])
    for wander in (0, 3):
        print("%d pixels off: %.3f" % (wander, model.evaluate(*draw(200, seed + 1000, wander), verbose=0)[1]))
    return model


if __name__ == "__main__":
    main()
