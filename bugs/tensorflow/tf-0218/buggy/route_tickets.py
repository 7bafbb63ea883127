"""Routes support tickets to one of four desks by the words in them."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models, optimizers

VOCABULARY = 300
DESKS = ["billing", "delivery", "returns", "technical"]
CONFIG = {"embedding": 16, "lr": 0.5, "epochs": 8, "batch_size": 32}


def write_tickets(count, seed):
    """Bags of 25 words; each desk has 20 words of its own that are used more often."""
    rng = np.random.RandomState(seed)
    desks = rng.randint(len(DESKS), size=count)
    common = rng.randint(VOCABULARY, size=(count, 25))
    special = 20 * desks[:, None] + rng.randint(20, size=(count, 25))
    tickets = np.where(rng.rand(count, 25) < 0.3, special, common)
    return tickets.astype("int32"), desks.astype("int32")


def build_model(config):
    model = models.Sequential([
        layers.Embedding(VOCABULARY, config["embedding"]),
        layers.GlobalAveragePooling1D(),
        layers.Dense(len(DESKS), activation="softmax"),
    ])
    # words are rare, so each one gets a step size of its own
    optimizer = optimizers.Adagrad(lr=config["lr"])
    model.compile(optimizer=optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main(seed=0, config=CONFIG):
    tf.random.set_seed(seed)
    tickets, desks = write_tickets(1500, seed)
    model = build_model(config)
    history = model.fit(
        tickets, desks, epochs=config["epochs"], batch_size=config["batch_size"], validation_split=0.2, verbose=0
    )
    for epoch, (loss, accuracy) in enumerate(zip(history.history["loss"], history.history["val_accuracy"])):
        print("epoch %d: loss %.3f, validation accuracy %.3f" % (epoch + 1, loss, accuracy))
    return model


if __name__ == "__main__":
    main()
