"""Segments roofs on aerial tiles with a small encoder-decoder."""

import keras
from keras import layers

from overlap import iou_score
from tiles import SIDE, tile_batches


def build_model():
    tile = keras.Input(shape=(SIDE, SIDE, 3))
    x = layers.Rescaling(1.0 / 255)(tile)
    x = early = layers.Conv2D(12, 3, padding="same", activation="relu")(x)
    x = layers.MaxPooling2D()(x)
    x = layers.Conv2D(24, 3, padding="same", activation="relu")(x)
    x = layers.UpSampling2D()(x)
    x = layers.Concatenate()([x, early])
    x = layers.Conv2D(12, 3, padding="same", activation="relu")(x)
    return keras.Model(tile, layers.Conv2D(1, 1, activation="sigmoid")(x))


def train(epochs=3):
    model = build_model()
    model.compile(
        optimizer=keras.optimizers.Adam(0.01),
        loss="binary_crossentropy",
        metrics=[iou_score],
    )
    model.fit(tile_batches(96, seed=0), epochs=epochs, verbose=0)
    return model


def main():
    keras.utils.set_random_seed(0)
    model = train()
    loss, overlap = model.evaluate(tile_batches(32, seed=1), verbose=0)
    print("new tiles: loss %.3f, overlap %.2f" % (loss, overlap))


if __name__ == "__main__":
    main()
