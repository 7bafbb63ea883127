"""Tells bird species by their calls."""

import keras
import numpy as np
from keras import layers

from calls import SPECIES, record
from features import log_mel


def build_model(shape):
    model = keras.Sequential(
        [
            keras.Input(shape=shape),
            layers.LayerNormalization(),
            layers.Conv1D(16, 3, activation="relu"),
            layers.GlobalAveragePooling1D(),
            layers.Dense(len(SPECIES), activation="softmax"),
        ]
    )
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="sparse_categorical_crossentropy")
    return model


def train(epochs=5):
    sounds, species = record(300, seed=1)
    features = np.asarray(log_mel(sounds))
    model = build_model(features.shape[1:])
    history = model.fit(features, species, batch_size=20, epochs=epochs, verbose=0)
    print("loss", " ".join("%.3f" % loss for loss in history.history["loss"]))
    return model


def classify(model, sounds):
    return model.predict(np.asarray(log_mel(sounds)), verbose=0).argmax(axis=-1)


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    model = train()
    sounds, species = record(200, seed=2)
    print("calls told right: %.2f" % np.mean(classify(model, sounds) == species))
