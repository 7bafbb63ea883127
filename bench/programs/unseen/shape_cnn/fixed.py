"""CNN for drawn shapes: circle, square, cross or triangle on 20x20 images."""
import os
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(12)
rng = np.random.default_rng(12)
SIZE = 20
NAMES = ["circle", "square", "cross", "triangle"]


def draw(kind):
    img = np.zeros((SIZE, SIZE), dtype="float32")
    cy, cx = rng.integers(7, SIZE - 7, 2)
    rad = rng.integers(4, 7)
    yy, xx = np.mgrid[0:SIZE, 0:SIZE]
    dy, dx = yy - cy, xx - cx
    if kind == 0:
        img[np.abs(np.hypot(dy, dx) - rad) < 0.8] = 1
    elif kind == 1:
        img[np.maximum(abs(dy), abs(dx)) == rad] = 1
    elif kind == 2:
        img[((dy == 0) | (dx == 0)) & (np.maximum(abs(dy), abs(dx)) <= rad)] = 1
    else:
        img[(dy == rad) & (abs(dx) <= rad)] = 1
        img[(abs(abs(dx) - (dy + rad) // 2) == 0) & (abs(dy) <= rad)] = 1
    return 255.0 * np.clip(img + 0.15 * rng.random((SIZE, SIZE)), 0, 1)


def make_images(n):
    y = rng.integers(0, len(NAMES), n)
    x = np.stack([draw(k) for k in y]).astype("float32") / 255.0
    return x[..., None], y


def build_model():
    return keras.Sequential([
        keras.Input(shape=(SIZE, SIZE, 1)),
        layers.Conv2D(8, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(16, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(32, activation="relu"),
        layers.Dense(len(NAMES), activation="softmax"),
    ])


def main():
    x_train, y_train = make_images(1600)
    x_test, y_test = make_images(400)
    model = build_model()
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.003),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    model.fit(x_train, y_train, epochs=6, batch_size=32,
              validation_data=(x_test, y_test), verbose=2)
    loss, acc = model.evaluate(x_test, y_test, verbose=0)
    print(f"test loss {loss:.4f}, test accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
