import numpy as np
import tensorflow as tf
import keras
from keras import layers

keras.utils.set_random_seed(6)
SIZE = 24
SPECIES = ["round", "long", "lobed", "star"]


def draw_leaves(n, rng):
    yy, xx = np.mgrid[0:SIZE, 0:SIZE]
    images = np.empty((n, SIZE, SIZE, 1), dtype="float32")
    labels = rng.integers(0, len(SPECIES), size=n)
    for i, label in enumerate(labels):
        cy, cx = rng.uniform(10, 14, size=2)
        dy, dx = yy - cy, xx - cx
        theta = np.arctan2(dy, dx) + rng.uniform(0, 2 * np.pi)
        r = np.hypot(dy, dx)
        base = rng.uniform(6, 8)
        if label == 0:
            edge = base
        elif label == 1:
            edge = base * (0.4 + 0.6 * np.cos(theta) ** 2)
        elif label == 2:
            edge = base * (0.75 + 0.3 * np.cos(3 * theta))
        else:
            edge = base * (0.7 + 0.4 * np.cos(5 * theta))
        images[i, :, :, 0] = (r < edge).astype("float32")
    images += rng.normal(0, 0.25, images.shape)
    return images, labels


def build_model():
    inputs = keras.Input((SIZE, SIZE, 1))
    x = layers.Conv2D(16, 3, padding="same", activation="relu")(inputs)
    x = layers.MaxPooling2D()(x)
    x = layers.Conv2D(32, 3, padding="same", activation="relu")(x)
    x = layers.MaxPooling2D()(x)
    x = layers.Conv2D(48, 3, activation="relu")(x)
    # both average and peak responses help with the ragged outlines
    avg = layers.GlobalAveragePooling2D()(x)
    peak = keras.ops.max(x, axis=(1, 2))
    x = layers.Concatenate()([avg, peak])
    x = layers.Dropout(0.2)(x)
    outputs = layers.Dense(len(SPECIES), activation="softmax")(x)
    return keras.Model(inputs, outputs)


rng = np.random.default_rng(6)
x_train, y_train = draw_leaves(1500, rng)
x_val, y_val = draw_leaves(300, rng)
train_ds = (tf.data.Dataset.from_tensor_slices((x_train, y_train))
            .shuffle(len(x_train), seed=6).batch(50).prefetch(2))
val_ds = tf.data.Dataset.from_tensor_slices((x_val, y_val)).batch(100)

model = build_model()
model.compile(keras.optimizers.Adam(2e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_ds, validation_data=val_ds, epochs=10, verbose=2)
loss, acc = model.evaluate(val_ds, verbose=0)
print(f"validation loss {loss:.4f} accuracy {acc:.3f}")
