"""Tells instruments by band energies, with a Keras model on top of the old feature graph."""

import keras
from keras import layers

from filterbank import BANDS, FilterBank
from tones import PITCHES, load


def build_classifier():
    classifier = keras.Sequential(
        [
            keras.Input(shape=(BANDS,)),
            layers.Dense(16, activation="relu"),
            layers.Dense(len(PITCHES), activation="softmax"),
        ]
    )
    classifier.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return classifier


def main():
    keras.utils.set_random_seed(0)
    features = FilterBank()
    classifier = build_classifier()
    sounds, instrument = load(300, seed=0)
    classifier.fit(features(sounds), instrument, batch_size=20, epochs=5, verbose=0)
    sounds, instrument = load(100, seed=1)
    print("loss %.2f, accuracy %.2f" % tuple(classifier.evaluate(features(sounds), instrument, verbose=0)))


if __name__ == "__main__":
    main()
