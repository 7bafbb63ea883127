"""Intent detection for short chatbot messages (token ids, 6 intents)."""
import os
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(9)
rng = np.random.default_rng(9)

INTENTS = ["balance", "transfer", "card_lost", "hours", "agent", "complaint"]
VOCAB = 250
MAX_LEN = 12
DROPOUT = 0.2


def make_messages(n):
    intent = rng.integers(0, len(INTENTS), n)
    tokens = np.zeros((n, MAX_LEN), dtype="int32")
    for i in range(n):
        length = rng.integers(6, MAX_LEN + 1)
        message = rng.integers(100, VOCAB, length)
        spots = rng.choice(length, 3, replace=False)
        message[spots] = 1 + intent[i] * 15 + rng.integers(0, 15, 3)
        tokens[i, :length] = message
    return tokens, intent


def build_model():
    model = keras.Sequential([
        keras.Input(shape=(MAX_LEN,), dtype="int32"),
        layers.Embedding(VOCAB, 24),
        layers.Conv1D(32, 3, padding="same", activation="relu"),
        layers.Dropout(DROPOUT),
        layers.GlobalMaxPooling1D(),
        layers.Dense(32, activation="relu"),
        layers.Dropout(DROPOUT),
        layers.Dense(len(INTENTS), activation="softmax"),
    ])
    model.compile(
        optimizer="adam",
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def main():
    x_train, y_train = make_messages(3000)
    x_val, y_val = make_messages(600)
    model = build_model()
    history = model.fit(
        x_train, y_train,
        validation_data=(x_val, y_val),
        epochs=10,
        batch_size=64,
        verbose=2,
    )
    print("final train accuracy %.3f, validation accuracy %.3f"
          % (history.history["accuracy"][-1], history.history["val_accuracy"][-1]))


if __name__ == "__main__":
    main()
