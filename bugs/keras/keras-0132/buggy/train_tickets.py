"""Trains the ticket classifier in mixed precision, as on the machines with tensor cores."""

import keras
import numpy as np
from keras import layers

from masked_attention import MaskedSelfAttention, MeanOfVisible, PaddingMask
from ticket_data import LENGTH, WORDS, make_tickets


def build_classifier(heads=2, size=16):
    ids = keras.Input(shape=(LENGTH,), dtype="int32")
    visible = PaddingMask()(ids)
    x = layers.Embedding(WORDS, heads * size)(ids)
    attended = MaskedSelfAttention(heads, size)(x, visible)
    x = layers.LayerNormalization()(x + attended)
    x = layers.LayerNormalization()(x + layers.Dense(heads * size, activation="relu")(x))
    complaint = layers.Dense(1, activation="sigmoid", dtype="float32")(MeanOfVisible()(x, visible))
    return keras.Model(ids, complaint, name="tickets")


def train(epochs=4):
    keras.mixed_precision.set_global_policy("mixed_float16")
    tickets, complaint = make_tickets(1000, seed=1)
    model = build_classifier()
    model.compile(optimizer=keras.optimizers.Adam(0.005), loss="binary_crossentropy", metrics=["accuracy"])
    model.fit(tickets, complaint, batch_size=32, epochs=epochs, verbose=0)
    return model


def main(seed=0):
    """Accuracy on tickets that the model has not seen."""
    model = train()
    tickets, complaint = make_tickets(400, seed=2)
    loss, accuracy = model.evaluate(tickets, complaint, verbose=0)
    print("loss %.3f, accuracy %.3f" % (loss, accuracy))
    return float(accuracy)


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    main()
