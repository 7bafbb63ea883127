"""Tells from the current of a starter motor what is wrong with it."""

import keras

from curve_transformer import build_transformer
from engine_data import make_recordings


def train(seed=0, epochs=6):
    keras.utils.set_random_seed(seed)
    curves, kinds = make_recordings(384, seed)
    model = build_transformer()
    model.compile(
        optimizer=keras.optimizers.Adam(5e-3),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    model.fit(curves, kinds, batch_size=32, epochs=epochs, verbose=0)
    return model


def accuracy(model, seed=1):
    curves, kinds = make_recordings(300, seed)
    return float((model.predict(curves, verbose=0).argmax(axis=1) == kinds).mean())


def main():
    model = train()
    print("accuracy on new recordings: %.2f" % accuracy(model))


if __name__ == "__main__":
    main()
