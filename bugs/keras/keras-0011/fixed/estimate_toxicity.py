"""Estimates the toxicity of compounds, on a logarithmic scale, from two descriptors."""

import numpy as np
from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import SGD


def measure_compounds(count, rng):
    """Standardised solubility and acidity of compounds, and their measured toxicity."""
    descriptors = rng.normal(size=(count, 2))
    solubility, acidity = descriptors.T
    toxicity = 0.5 + 0.9 * solubility - 0.4 * acidity + 0.3 * np.sin(2.0 * solubility)
    return descriptors, toxicity + rng.normal(scale=0.1, size=count)


def build_model():
    model = Sequential()
    model.add(Dense(16, input_dim=2, activation="relu"))
    model.add(Dense(1))
    model.compile(loss="mean_squared_error", optimizer=SGD(lr=0.05))
    return model


def train(seed, epochs=30, verbose=0):
    """Trains on 200 compounds; returns measured and estimated toxicity of 100 new ones."""
    K.clear_session()
    np.random.seed(seed)
    rng = np.random.RandomState(seed)
    x_train, y_train = measure_compounds(200, rng)
    x_test, y_test = measure_compounds(100, rng)
    model = build_model()
    model.fit(x_train, y_train, batch_size=10, epochs=epochs, verbose=verbose)
    return y_test, model.predict(x_test)[:, 0]


if __name__ == "__main__":
    measured, estimated = train(seed=0)
    print("measured   estimated")
    for pair in zip(measured[:12], estimated):
        print("%8.3f    %8.3f" % pair)
