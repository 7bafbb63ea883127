"""Predicts from eight blood values whether a patient answers to a drug.

The study is small: 200 patients to learn from. One answer in ten is recorded wrongly. The
layers carry an L2 penalty, and 300 patients of another hospital serve for validation.
"""

import keras
import numpy as np
from keras import layers, regularizers

VALUES = 8
WEIGHT_DECAY = 0.03


def examine_patients(count, rng):
    """Standardised blood values and the recorded answer to the drug, 0 or 1."""
    values = rng.normal(size=(count, VALUES))
    answers = 1.5 * values[:, 0] - 1.2 * values[:, 1] + values[:, 2] > 0.0
    misread = rng.random(count) < 0.1
    recorded = np.where(misread, ~answers, answers)
    return values.astype("float32"), recorded[:, None].astype("float32")


def dense(units, activation):
    """A dense layer with the penalty that all layers of the model have."""
    return layers.Dense(
        units, activation=activation, kernel_regularizer=regularizers.L2(WEIGHT_DECAY)
    )


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(VALUES,)),
            dense(48, "relu"),
            dense(48, "relu"),
            dense(1, "sigmoid"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.01),
        loss="binary_crossentropy",
        metrics=["accuracy"],
    )
    return model


def train(seed=0, epochs=25, verbose=0):
    """Returns the history of the training, with the validation after every epoch."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    values, answers = examine_patients(200, rng)
    history = build_model().fit(
        values,
        answers,
        batch_size=40,
        epochs=epochs,
        validation_data=examine_patients(300, rng),
        validation_batch_size=300,
        verbose=verbose,
    )
    return history.history


def main():
    history = train(verbose=2)
    best = int(np.argmin(history["val_loss"]))
    print("lowest validation loss %.3f in epoch %d" % (history["val_loss"][best], best + 1))
    print("last validation loss %.3f" % history["val_loss"][-1])


if __name__ == "__main__":
    main()
