"""Fits one small network per town to flat rents and checks each on new flats."""

import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import Adam
from keras.wrappers.scikit_learn import KerasRegressor

TOWNS = ["harbour", "old town", "suburb"]
FEATURES = 3


def load_town(index, rng, count=120):
    """Standardised size, age and distance to the centre, and the rent in hundreds."""
    flats = rng.normal(size=(count, FEATURES))
    prices = np.array([3.0 - 0.5 * index, -1.0, -0.5 * (index + 1)])
    rents = 9.0 + np.dot(flats, prices) + rng.normal(scale=0.3, size=count)
    return flats, rents


def build_network():
    model = Sequential()
    model.add(Dense(16, input_dim=FEATURES, activation="relu"))
    model.add(Dense(1))
    model.compile(loss="mean_squared_error", optimizer=Adam(lr=0.02))
    return model


def fit_towns(towns, epochs=30):
    """One fitted regressor for each pair of flats and rents."""
    fitted = []
    for flats, rents in towns:
        regressor = KerasRegressor(build_fn=build_network, epochs=epochs, batch_size=20, verbose=0)
        fitted.append(regressor.fit(flats, rents))
    return fitted


def mean_errors(fitted, towns):
    """By how much each regressor misses the rents of its own town, on average."""
    errors = []
    for regressor, (flats, rents) in zip(fitted, towns):
        estimates = regressor.predict(flats)
        errors.append(np.mean(np.abs(estimates - rents)))
    return errors


def main(seed=0):
    np.random.seed(seed)
    rng = np.random.RandomState(seed)
    fitted = fit_towns([load_town(index, rng) for index in range(len(TOWNS))])
    new_flats = [load_town(index, rng, count=40) for index in range(len(TOWNS))]
    for town, error in zip(TOWNS, mean_errors(fitted, new_flats)):
        print("%-9s mean error %.2f" % (town, error))


if __name__ == "__main__":
    main()
