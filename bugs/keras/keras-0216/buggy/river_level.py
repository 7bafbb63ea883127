"""Level of a river from the rain of the last days, with a recurrent layer."""

import numpy as np
from keras.layers import Dense, SimpleRNN
from keras.models import Sequential

COLUMNS = ["rain today", "rain yesterday", "rain two days ago", "temperature"]


def table(days, seed):
    """One row per day: predictors and the level of the next day."""
    rng = np.random.RandomState(seed)
    rain = rng.gamma(1.0, 1.0, size=days + 2)
    temperature = 10 + 8 * np.sin(np.arange(days) / 58.0)
    predictors = np.column_stack([rain[2:], rain[1:-1], rain[:-2], temperature / 10.0])
    level = 0.5 * rain[2:] + 0.3 * rain[1:-1] + 0.1 * rain[:-2] + rng.normal(0, 0.05, days)
    return predictors, level


def train(epochs=5):
    predictors, level = table(300, seed=0)
    split = 240
    model = Sequential()
    model.add(SimpleRNN(8, init="uniform", input_dim=len(COLUMNS)))
    model.add(Dense(1))
    model.compile(loss="mse", optimizer="rmsprop")
    model.fit(predictors[:split], level[:split], batch_size=24, nb_epoch=epochs, verbose=0)
    error = model.evaluate(predictors[split:], level[split:], verbose=0)
    print("mean squared error %.3f" % error)
    return model


if __name__ == "__main__":
    train()
