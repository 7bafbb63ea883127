"""Siamese network: do two pen strokes come from the same writer?"""
import numpy as np
import tensorflow as tf
import keras
from keras import layers, ops

POINTS = 40
WRITERS = 30


def make_style(rng):
    return {"freq": rng.uniform(1, 4, 2), "phase": rng.uniform(0, 2 * np.pi, 2), "slant": rng.normal(0, 0.5)}


def write_stroke(style, rng):
    t = np.linspace(0, 1, POINTS)
    freq = style["freq"] + rng.normal(0, 0.05, 2)
    x = np.sin(2 * np.pi * freq[0] * t + style["phase"][0]) + style["slant"] * t
    y = np.cos(2 * np.pi * freq[1] * t + style["phase"][1])
    return np.stack([x, y], axis=1) + rng.normal(0, 0.08, (POINTS, 2))


def make_pairs(styles, count, rng):
    left, right, same = [], [], []
    for i in range(count):
        a = rng.integers(len(styles))
        if i % 2 == 0:
            b = a
        else:
            b = (a + rng.integers(1, len(styles))) % len(styles)
        left.append(write_stroke(styles[a], rng))
        right.append(write_stroke(styles[b], rng))
        same.append(float(a == b))
    return np.float32(left), np.float32(right), np.float32(same)[:, None]


def dataset(pairs, batch, shuffle=False):
    left, right, same = pairs
    ds = tf.data.Dataset.from_tensor_slices(((left, right), same))
    if shuffle:
        ds = ds.shuffle(len(same), seed=0)
    return ds.batch(batch)


def build_encoder():
    return keras.Sequential([
        layers.Input((POINTS, 2)),
        layers.Conv1D(16, 5, activation="relu"),
        layers.MaxPooling1D(2),
        layers.Conv1D(32, 5, activation="relu"),
        layers.Flatten(),
        layers.Dense(16),
    ], name="encoder")


def build_model():
    encoder = build_encoder()
    left = layers.Input((POINTS, 2), name="left")
    right = layers.Input((POINTS, 2), name="right")
    a, b = encoder(left), encoder(right)
    squared = ops.sum(ops.square(a - b), axis=1, keepdims=True)
    distance = ops.sqrt(squared + 1e-6)
    same = layers.Dense(1, activation="sigmoid")(distance)
    return keras.Model([left, right], same)


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    styles = [make_style(rng) for _ in range(WRITERS + 10)]
    train = dataset(make_pairs(styles[:WRITERS], 3000, rng), 64, shuffle=True)
    test = dataset(make_pairs(styles[WRITERS:], 600, rng), 64)
    model = build_model()
    model.compile(optimizer=keras.optimizers.Adam(3e-3), loss="binary_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=test, epochs=8, verbose=2)
    loss, acc = model.evaluate(test, verbose=0)
    print(f"unseen writers: loss {loss:.4f}, accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
