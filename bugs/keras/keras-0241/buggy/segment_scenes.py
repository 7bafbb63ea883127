"""Labels every pixel of a street scene."""

import keras
import numpy as np

from fcn import build_fcn
from scenes import CLASSES, load


def train(epochs=4):
    fcn = build_fcn()
    fcn.compile(
        optimizer=keras.optimizers.Adam(0.01),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    history = fcn.fit(*load(120, seed=1), batch_size=8, epochs=epochs, verbose=0)
    print("loss    ", " ".join("%.3f" % value for value in history.history["loss"]))
    print("accuracy", " ".join("%.3f" % value for value in history.history["accuracy"]))
    return fcn


def main():
    fcn = train()
    images, labels = load(40, seed=2)
    found = fcn.predict(images, verbose=0).argmax(axis=-1)
    for number in range(CLASSES):
        print("class %d: %.2f of its pixels found" % (number, np.mean(found[labels == number] == number)))


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    main()
