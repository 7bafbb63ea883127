"""Recognise seven-segment digits photographed with noise (16x12 grey pictures, uint8)."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(13)

SEGMENTS = {0: "abcdef", 1: "bc", 2: "abdeg", 3: "abcdg", 4: "bcfg",
            5: "acdfg", 6: "acdefg", 7: "abc", 8: "abcdefg", 9: "abcdfg"}
BOXES = {"a": (1, 3, 3, 9), "b": (2, 8, 8, 10), "c": (8, 14, 8, 10), "d": (13, 15, 3, 9),
         "e": (8, 14, 2, 4), "f": (2, 8, 2, 4), "g": (7, 9, 3, 9)}


def draw_digit(d):
    img = np.random.uniform(20, 70) * np.ones((16, 12))
    ink = np.random.uniform(150, 255)
    for s in SEGMENTS[d]:
        top, bottom, left, right = BOXES[s]
        img[top:bottom, left:right] = ink
    img = np.roll(img, np.random.randint(-1, 2, size=2), axis=(0, 1))
    img += np.random.normal(0, 20, img.shape)
    return img.clip(0, 255).astype("uint8")


def load_data(n):
    y = np.random.randint(0, 10, n)
    x = np.stack([draw_digit(d) for d in y])
    return x[..., None], y


def preprocess(images):
    return images.astype("float32") / 255.0


def build_model():
    model = keras.Sequential([
        layers.Input((16, 12, 1)),
        layers.Conv2D(8, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(64, activation="relu"),
        layers.Dense(10, activation="softmax"),
    ])
    model.compile(
        optimizer=keras.optimizers.SGD(learning_rate=0.05),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def main():
    x_train, y_train = load_data(3000)
    x_test, y_test = load_data(600)
    x_train, x_test = preprocess(x_train), preprocess(x_test)

    model = build_model()
    model.fit(x_train, y_train, epochs=8, batch_size=32,
              validation_data=(x_test, y_test), verbose=2)
    loss, acc = model.evaluate(x_test, y_test, verbose=0)
    print("test accuracy: %.3f" % acc)


if __name__ == "__main__":
    main()
