"""Sort parcels on a belt by the printed symbol (camera images, 8 bit)."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers

SIZE = 28
SYMBOLS = ["circle", "square", "triangle", "cross"]


def draw(symbol, rng):
    yy, xx = np.mgrid[:SIZE, :SIZE].astype("float32")
    cy, cx = rng.uniform(9, SIZE - 9, size=2)
    r = rng.uniform(5, 8)
    dy, dx = yy - cy, xx - cx
    if symbol == 0:
        shape = dy ** 2 + dx ** 2 < r ** 2
    elif symbol == 1:
        shape = (np.abs(dy) < 0.85 * r) & (np.abs(dx) < 0.85 * r)
    elif symbol == 2:
        shape = (dy > -r) & (dy < 0.7 * r) & (np.abs(dx) < 0.6 * (dy + r))
    else:
        shape = ((np.abs(dy) < 0.3 * r) & (np.abs(dx) < r)) | ((np.abs(dx) < 0.3 * r) & (np.abs(dy) < r))
    image = np.full((SIZE, SIZE), rng.uniform(60, 120))
    image += rng.choice([-1, 1]) * rng.uniform(45, 60) * shape
    image += 10 * rng.standard_normal((SIZE, SIZE))
    return np.clip(image, 0, 255).astype("uint8")


def make_images(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(SYMBOLS), size=n)
    x = np.stack([draw(k, rng) for k in y])[..., None]
    return x, y


def to_dataset(x, y, training=False):
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if training:
        ds = ds.shuffle(len(x), seed=1)
    ds = ds.map(lambda img, label: (tf.cast(img, tf.float32) / 255.0, label))
    return ds.batch(64).prefetch(1)


def build_model():
    return keras.Sequential([
        keras.Input((SIZE, SIZE, 1)),
        layers.Rescaling(1.0 / 255),
        layers.Conv2D(16, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(32, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dropout(0.3),
        layers.Dense(64, activation="relu"),
        layers.Dense(len(SYMBOLS), activation="softmax"),
    ])


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    train_ds = to_dataset(*make_images(3000, seed=1), training=True)
    val_ds = to_dataset(*make_images(500, seed=2))
    test_ds = to_dataset(*make_images(500, seed=3))

    model = build_model()
    model.compile(optimizer=keras.optimizers.Adam(2e-3),
                  loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train_ds, validation_data=val_ds, epochs=10, verbose=2)
    loss, acc = model.evaluate(test_ds, verbose=0)
    print(f"test loss {loss:.4f}  accuracy {acc:.3f}")
