"""Learns whether a review praises a restaurant."""

import keras
from keras import layers

from reviews import LENGTH, VOCABULARY, load


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(LENGTH,), dtype="int32"),
            layers.Embedding(VOCABULARY, 8),
            layers.GRU(12, return_sequences=True),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
    return model


def train(epochs=6):
    model = build_model()
    history = model.fit(*load(500, seed=4), batch_size=25, epochs=epochs, verbose=0)
    print("loss", " ".join("%.3f" % loss for loss in history.history["loss"]))
    return model


def judge(model, reviews):
    """One number for each review: how likely it praises."""
    return model.predict(reviews, verbose=0)


def main():
    model = train()
    reviews, praise = load(5, seed=5)
    for opinion, truth in zip(judge(model, reviews), praise):
        print("praise" if truth else "blame ", opinion.ravel().round(2))


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    main()
