"""Tells trips by bicycle from trips by bus, from the speeds that a phone has recorded."""

import keras

from recorder import LONGEST, READINGS, record_trips
from padding import pad_trips


def build_model():
    return keras.Sequential(
        [
            keras.Input(shape=(LONGEST, READINGS)),
            keras.layers.Masking(mask_value=0.0),
            keras.layers.LSTM(16),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )


def train(seed=0, epochs=6):
    keras.utils.set_random_seed(seed)
    trips, by_bus = record_trips(300, seed)
    model = build_model()
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="binary_crossentropy", metrics=["accuracy"])
    model.fit(pad_trips(trips), by_bus, batch_size=30, epochs=epochs, verbose=0)
    return model


def accuracy(model, seed):
    trips, by_bus = record_trips(200, seed)
    guess = model.predict(pad_trips(trips), verbose=0)[:, 0] > 0.5
    return float((guess == by_bus).mean())


def main():
    model = train()
    print("trips that are told right: %.2f" % accuracy(model, seed=1))


if __name__ == "__main__":
    main()
