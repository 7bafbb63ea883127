import argparse

import keras
import numpy as np
import tensorflow as tf
from keras import layers

SPECIES = ["oak", "birch", "willow", "maple"]


def leaf(kind, rng, size=24):
    """Grey leaf silhouette: outline radius depends on the species."""
    yy, xx = np.mgrid[0:size, 0:size] - (size - 1) / 2
    angle = np.arctan2(yy, xx) + rng.uniform(0, 2 * np.pi)
    radius = np.hypot(yy, xx)
    r = rng.uniform(7.0, 8.5)
    if kind == 0:
        edge = r * (1 + 0.18 * np.sin(7 * angle))
    elif kind == 1:
        edge = r * (0.85 + 0.15 * np.cos(2 * angle))
    elif kind == 2:
        edge = r * (0.62 + 0.38 * np.cos(2 * angle))
    else:
        edge = r * (0.9 + 0.3 * np.cos(5 * angle))
    img = (radius < edge) * rng.uniform(0.5, 0.9)
    return img + 0.15 * rng.standard_normal((size, size))


def collect(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(SPECIES), count)
    images = np.stack([leaf(k, rng) for k in labels])[..., None]
    return images.astype("float32"), labels


def pipeline(images, labels, batch, shuffle):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    if shuffle:
        ds = ds.shuffle(len(labels), seed=0)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def network():
    model = keras.Sequential([
        keras.Input((24, 24, 1)),
        layers.Conv2D(16, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(32, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(64, activation="relu"),
        layers.Dropout(0.3),
        layers.Dense(len(SPECIES)),
    ])
    model.compile(optimizer=keras.optimizers.Adam(1e-3),
                  loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    return model


def report(model, ds):
    truth = np.concatenate([labels.numpy() for _, labels in ds])
    guess = model.predict(ds, verbose=0).argmax(axis=1)
    table = np.zeros((len(SPECIES), len(SPECIES)), dtype=int)
    np.add.at(table, (truth, guess), 1)
    print("confusion (rows: truth)")
    for name, row in zip(SPECIES, table):
        print(f"  {name:<7}", *(f"{v:4d}" for v in row), f"  recall {row[SPECIES.index(name)] / row.sum():.3f}")
    print(f"test accuracy {np.trace(table) / table.sum():.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()
    keras.utils.set_random_seed(0)
    train_ds = pipeline(*collect(1600, seed=1), args.batch, shuffle=True)
    val_ds = pipeline(*collect(300, seed=2), args.batch, shuffle=False)
    test_ds = pipeline(*collect(400, seed=3), args.batch, shuffle=True)
    model = network()
    model.fit(train_ds, validation_data=val_ds, epochs=args.epochs, verbose=2)
    report(model, test_ds)


if __name__ == "__main__":
    main()
