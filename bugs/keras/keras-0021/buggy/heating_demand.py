"""Estimates the yearly heating demand of houses from seven facts about each house.

Facts and demand are standardised. After every epoch the network is checked on 400 houses that it
is not trained on.
"""

import keras
import numpy as np
from keras import layers

FACTS = ("floor area", "age", "windows", "insulation", "storeys", "altitude", "inhabitants")
MEAN_DEMAND, SPREAD = 0.12, 0.9


def survey_houses(count, rng):
    """Standardised facts about ``count`` houses and their standardised heating demand."""
    facts = rng.normal(size=(count, len(FACTS)))
    area, age, windows, insulation, storeys, altitude, inhabitants = facts.T
    demand = 0.5 * area + 0.4 * age + 0.3 * windows - 0.6 * np.tanh(insulation)
    demand += 0.2 * area * storeys + 0.3 * np.maximum(altitude, 0.0) - 0.1 * inhabitants
    demand = (demand - MEAN_DEMAND) / SPREAD + rng.normal(0.0, 0.2, size=count)
    return facts.astype("float32"), demand[:, None].astype("float32")


class DemandEstimator:
    """A regression network with two hidden layers and dropout against overfitting."""

    def __init__(self, dropout=0.5):
        inputs = keras.Input(shape=(len(FACTS),))
        x = layers.Dense(64, activation="relu")(inputs)
        x = layers.Dense(64, activation="relu")(x)
        x = layers.Dense(1)(x)
        outputs = layers.Dropout(dropout)(x)
        self.model = keras.Model(inputs, outputs)
        self.model.compile(optimizer=keras.optimizers.Adam(learning_rate=0.003), loss="mse")

    def fit(self, training, validation, epochs, verbose):
        return self.model.fit(
            *training, batch_size=100, epochs=epochs, validation_data=validation, verbose=verbose
        )

    def estimate(self, facts):
        return np.asarray(self.model(facts, training=False))[:, 0]


def train(seed=0, epochs=12, verbose=0):
    """Trains on 2000 houses; returns the estimator and the history of its training."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    estimator = DemandEstimator()
    history = estimator.fit(survey_houses(2000, rng), survey_houses(400, rng), epochs, verbose)
    return estimator, history.history


def main():
    estimator, _ = train(verbose=2)
    facts, demand = survey_houses(6, np.random.default_rng(1))
    print("demand    estimate")
    for true, estimated in zip(demand[:, 0], estimator.estimate(facts)):
        print("%6.2f      %6.2f" % (true, estimated))


if __name__ == "__main__":
    main()
