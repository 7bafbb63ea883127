import numpy as np
import tensorflow as tf

SIZE = 28
KINDS = ("elliptical", "spiral", "edge_on")


def render(n, seed):
    """8-bit images of toy galaxies."""
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[0:SIZE, 0:SIZE] - (SIZE - 1) / 2
    images = np.empty((n, SIZE, SIZE, 1), dtype=np.float32)
    kinds = rng.integers(0, len(KINDS), size=n).astype("int32")
    for i, kind in enumerate(kinds):
        a = rng.uniform(0, np.pi)
        u, v = xx * np.cos(a) + yy * np.sin(a), -xx * np.sin(a) + yy * np.cos(a)
        r = np.hypot(u, v)
        if kind == 0:
            light = np.exp(-np.hypot(u / 5, v / 4))
        elif kind == 1:
            arms = 0.5 + 0.5 * np.cos(2 * np.arctan2(v, u) - 0.6 * r)
            light = np.exp(-r / 6) * (0.25 + arms)
        else:
            light = np.exp(-np.hypot(u / 8, v / 1.2))
        images[i, :, :, 0] = 20 + 150 * light
    images += rng.normal(0, 14, images.shape)
    return np.clip(images, 0, 255).astype(np.uint8), kinds


def prepare(image, kind):
    image = tf.cast(image, tf.float32)
    return image, kind


def make_dataset(images, kinds, batch_size, training):
    ds = tf.data.Dataset.from_tensor_slices((images, kinds))
    if training:
        ds = ds.shuffle(len(images), seed=1)
    return ds.map(prepare, num_parallel_calls=1).batch(batch_size).prefetch(1)
