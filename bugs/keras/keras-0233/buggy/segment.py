"""Segments the lungs on a handful of scans."""

import keras
from keras import layers

from lungs import SIZE, make_scans
from pipeline import training_batches, validation_batches


def build_network():
    scans = keras.Input(shape=(SIZE, SIZE, 1))
    x = layers.Conv2D(8, 3, padding="same", activation="relu")(scans)
    x = layers.Conv2D(8, 3, padding="same", activation="relu")(x)
    return keras.Model(scans, layers.Conv2D(1, 1, activation="sigmoid")(x))


def main(epochs=4):
    keras.utils.set_random_seed(0)
    network = build_network()
    network.compile(optimizer=keras.optimizers.Adam(0.01), loss="binary_crossentropy")
    history = network.fit(
        training_batches(*make_scans(40, seed=1)),
        validation_data=validation_batches(*make_scans(40, seed=2)),
        epochs=epochs,
        verbose=0,
    )
    print("loss      ", " ".join("%.3f" % loss for loss in history.history["loss"]))
    print("validation", " ".join("%.3f" % loss for loss in history.history["val_loss"]))


if __name__ == "__main__":
    main()
