"""Trains the word spotter until its validation loss no longer improves."""

import keras
from keras import layers

from clips import BANDS, WORDS, make_clips, split_clips


def build_spotter():
    return keras.Sequential(
        [
            keras.Input(shape=(BANDS,)),
            layers.Dense(128, activation="relu"),
            layers.Dense(64, activation="relu"),
            layers.Dense(WORDS, activation="softmax"),
        ]
    )


def train(epochs=20):
    training, validation = split_clips(*make_clips())
    model = build_spotter()
    model.compile(
        optimizer=keras.optimizers.Adam(0.002), loss="sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    stop = keras.callbacks.EarlyStopping(patience=3, restore_best_weights=True)
    history = model.fit(training, validation_data=validation, epochs=epochs, callbacks=[stop], verbose=0)
    return model, history.history


def main():
    keras.utils.set_random_seed(0)
    model, history = train()
    fresh, words = make_clips(400, seed=9)
    print("epochs %d" % len(history["loss"]))
    print("validation accuracy %.3f" % history["val_accuracy"][-1])
    print("accuracy on clips of another day %.3f" % model.evaluate(fresh, words, verbose=0)[1])


if __name__ == "__main__":
    main()
