"""Assign several tags to a movie description (multi-label, 8 tags)."""
import os
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(4)
rng = np.random.default_rng(4)

TAGS = ["action", "comedy", "crime", "drama", "family", "horror", "romance", "scifi"]
VOCAB = 400
LENGTH = 40
WORDS_PER_TAG = 20


def make_descriptions(n):
    tags = (rng.random((n, len(TAGS))) < 0.3).astype("float32")
    tokens = rng.integers(1 + WORDS_PER_TAG * len(TAGS), VOCAB, (n, LENGTH))
    for i in range(n):
        position = 0
        for tag in np.flatnonzero(tags[i]):
            words = 1 + tag * WORDS_PER_TAG + rng.integers(0, WORDS_PER_TAG, 4)
            tokens[i, position:position + 4] = words
            position += 4
        rng.shuffle(tokens[i])
    return tokens.astype("int32"), tags


def build_model():
    inputs = keras.Input(shape=(LENGTH,), dtype="int32")
    x = layers.Embedding(VOCAB, 32)(inputs)
    x = layers.GlobalAveragePooling1D()(x)
    x = layers.Dense(64, activation="relu")(x)
    outputs = layers.Dense(len(TAGS), activation="sigmoid")(x)
    model = keras.Model(inputs, outputs)
    model.compile(optimizer=keras.optimizers.Adam(5e-3),
                  loss="binary_crossentropy",
                  metrics=["binary_accuracy"])
    return model


def f1_score(truth, predicted):
    tp = np.logical_and(truth, predicted).sum()
    return 2 * tp / (truth.sum() + predicted.sum() + 1e-9)


def main():
    x_train, y_train = make_descriptions(3000)
    x_test, y_test = make_descriptions(600)
    model = build_model()
    model.fit(x_train, y_train, validation_split=0.1,
              epochs=10, batch_size=64, verbose=2)

    predicted = model.predict(x_test, verbose=0) > 0.5
    truth = y_test > 0.5
    exact = (predicted == truth).all(axis=1).mean()
    print(f"tags per movie: true {truth.sum(1).mean():.2f}, predicted {predicted.sum(1).mean():.2f}")
    print(f"test micro-F1 {f1_score(truth, predicted):.3f}  exact match {exact:.3f}")


if __name__ == "__main__":
    main()
