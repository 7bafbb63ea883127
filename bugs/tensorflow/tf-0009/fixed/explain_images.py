"""Finds which pixels a classifier of tiny images looks at, by the gradient of its score, on two devices."""

import collections

import numpy as np
import tensorflow as tf

SIZE = 8


def open_strategy():
    """A strategy over two devices; one processor stands for two accelerators here."""
    processor = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(processor, [tf.config.LogicalDeviceConfiguration()] * 2)
    return tf.distribute.MirroredStrategy([device.name for device in tf.config.list_logical_devices("CPU")])


def draw_images(count, seed):
    """Noise with a bright 3 x 3 patch in the left half (label 0) or in the right half (label 1)."""
    random = np.random.RandomState(seed)
    images = random.normal(0.0, 0.2, (count, SIZE, SIZE, 1)).astype(np.float32)
    labels = random.randint(2, size=count)
    for image, label in zip(images, labels):
        image[3:6, 1 + 3 * label:4 + 3 * label] += 1.0
    return images, labels.astype(np.float32)


def train_model(images, labels):
    model = tf.keras.Sequential([
        tf.keras.layers.Flatten(input_shape=(SIZE, SIZE, 1)),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile(
        optimizer=tf.keras.optimizers.Adam(0.02),
        loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
    )
    model.fit(images, labels, batch_size=32, epochs=6, verbose=0)
    return model


def explain(strategy, model, images, batch_size=64):
    """The absolute gradient of the score at every pixel, and how many images each device worked on."""
    load = collections.Counter()
    maps = []

    def input_gradient(batch):
        with tf.GradientTape() as tape:
            tape.watch(batch)
            score = model(batch)
        return tape.gradient(score, batch)

    batches = tf.data.Dataset.from_tensor_slices(images).batch(batch_size)
    with strategy.scope():
        for batch in strategy.experimental_distribute_dataset(batches):
            gradients = strategy.run(input_gradient, args=(batch,))
            for part in strategy.experimental_local_results(gradients):
                load[part.device] += len(part)
                maps.append(np.abs(part.numpy()))
    return np.concatenate(maps), load


def main(seed=0):
    strategy = open_strategy()
    images, labels = draw_images(256, seed)
    with strategy.scope():
        model = train_model(images, labels)
    maps, load = explain(strategy, model, images)
    rows = np.round(maps.mean(axis=0)[..., 0], 2)
    print("mean gradient per pixel:")
    print(rows)
    for device in strategy.extended.worker_devices:
        print("%s explained %d images" % (device, load[device]))
    return [load[device] for device in strategy.extended.worker_devices]


if __name__ == "__main__":
    main()
