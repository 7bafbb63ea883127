"""Find the box around the one cell in a microscope tile."""
import numpy as np
import tensorflow as tf
import keras
from keras import layers

SIZE = 32
keras.utils.set_random_seed(12)


def make_tiles(n, rng):
    yy, xx = np.mgrid[:SIZE, :SIZE]
    images = rng.normal(0.2, 0.08, size=(n, SIZE, SIZE)).astype("float32")
    boxes = np.zeros((n, 4), dtype="float32")
    for i in range(n):
        ry, rx = rng.uniform(3, 7, 2)
        cy, cx = rng.uniform(ry, SIZE - ry), rng.uniform(rx, SIZE - rx)
        inside = ((yy - cy) / ry) ** 2 + ((xx - cx) / rx) ** 2 < 1
        images[i][inside] += rng.uniform(0.3, 0.6)
        boxes[i] = [cx / SIZE, cy / SIZE, 2 * rx / SIZE, 2 * ry / SIZE]
    return images[..., None], boxes


def build_model():
    inputs = keras.Input((SIZE, SIZE, 1))
    x = inputs
    for filters in (12, 24, 32):
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = layers.MaxPooling2D()(x)
    x = layers.Flatten()(x)
    x = layers.Dense(64, activation="relu")(x)
    center = layers.Dense(2, activation="sigmoid", name="center")(x)
    extent = layers.Dense(2, activation="sigmoid", name="extent")(x)
    box = tf.concat([center, extent], axis=-1)
    return keras.Model(inputs, box)


def box_iou(a, b):
    """IoU of boxes given as center and size."""
    a_lo, a_hi = a[:, :2] - a[:, 2:] / 2, a[:, :2] + a[:, 2:] / 2
    b_lo, b_hi = b[:, :2] - b[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2
    overlap = np.clip(np.minimum(a_hi, b_hi) - np.maximum(a_lo, b_lo), 0, None).prod(axis=1)
    return overlap / (a[:, 2:].prod(axis=1) + b[:, 2:].prod(axis=1) - overlap)


rng = np.random.default_rng(12)
x_train, y_train = make_tiles(2000, rng)
x_val, y_val = make_tiles(300, rng)

train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(2000, seed=1).batch(64).prefetch(1)
val_ds = tf.data.Dataset.from_tensor_slices((x_val, y_val)).batch(100)

model = build_model()
model.compile(optimizer=keras.optimizers.Adam(2e-3), loss=keras.losses.Huber(delta=0.1), metrics=["mae"])
model.fit(train_ds, validation_data=val_ds, epochs=12, verbose=2)

iou = box_iou(model.predict(x_val, verbose=0), y_val)
print(f"mean IoU {iou.mean():.3f}, share above 0.5: {(iou > 0.5).mean():.3f}")
