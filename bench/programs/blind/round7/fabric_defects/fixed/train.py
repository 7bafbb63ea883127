import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models

IMG = 32
CLASSES = ["ok", "hole", "thread", "stain"]
AUTOTUNE = tf.data.AUTOTUNE


def weave(n, seed):
    """8-bit grey pictures of cloth."""
    rng = np.random.RandomState(seed)
    yy, xx = np.mgrid[0:IMG, 0:IMG]
    labels = rng.randint(0, len(CLASSES), n)
    images = np.zeros((n, IMG, IMG, 1), dtype=np.uint8)
    for i, k in enumerate(labels):
        img = 130 + 15 * np.sin(xx * 2.1 + rng.uniform(0, 6)) * np.sin(yy * 2.1 + rng.uniform(0, 6))
        img += rng.normal(0, 14, (IMG, IMG))
        cy, cx = rng.uniform(7, IMG - 7, 2)
        dist = np.hypot(yy - cy, xx - cx)
        if k == 1:
            img[dist < rng.uniform(2, 3.5)] -= 60
        elif k == 2:
            a = rng.uniform(0, np.pi)
            line = np.abs((yy - cy) * np.cos(a) - (xx - cx) * np.sin(a)) < 0.9
            img[line] += 45
        elif k == 3:
            img -= 35 * np.exp(-(dist / rng.uniform(4, 6)) ** 2)
        images[i, :, :, 0] = np.clip(img, 0, 255)
    return images, labels.astype("int32")


def to_float(image, label):
    image = tf.cast(image, tf.float32)
    return image / 127.5 - 1.0, label


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_flip_up_down(image)
    image = tf.image.random_brightness(image, 0.1)
    return image, label


def train_pipeline(images, labels, batch):
    ds = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(len(labels), seed=3)
    ds = ds.map(to_float, num_parallel_calls=AUTOTUNE).map(augment, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch).prefetch(AUTOTUNE)


def eval_pipeline(images, labels, batch):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    ds = ds.map(to_float, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch).prefetch(AUTOTUNE)


def build_cnn():
    model = models.Sequential()
    model.add(layers.Conv2D(16, 3, padding="same", activation="relu", input_shape=(IMG, IMG, 1)))
    model.add(layers.MaxPooling2D())
    model.add(layers.Conv2D(32, 3, padding="same", activation="relu"))
    model.add(layers.MaxPooling2D())
    model.add(layers.Conv2D(32, 3, padding="same", activation="relu"))
    model.add(layers.GlobalMaxPooling2D())
    model.add(layers.Dense(32, activation="relu"))
    model.add(layers.Dense(len(CLASSES), activation="softmax"))
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


if __name__ == "__main__":
    tf.random.set_seed(3)
    np.random.seed(3)
    x_train, y_train = weave(1200, seed=1)
    x_val, y_val = weave(400, seed=2)
    train_ds = train_pipeline(x_train, y_train, 32)
    val_ds = eval_pipeline(x_val, y_val, 100)

    model = build_cnn()
    model.fit(train_ds, validation_data=val_ds, epochs=10, verbose=2)

    pred = model.predict(val_ds).argmax(axis=1)
    for k, name in enumerate(CLASSES):
        print("recall of %-7s %.3f" % (name, (pred[y_val == k] == k).mean()))
