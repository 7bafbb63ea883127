from __future__ import print_function

import numpy as np
import tensorflow as tf
from keras.layers import LSTM, Dense, TimeDistributed
from keras.models import Sequential
from keras.optimizers import Adam

MOTORS = 16
STEPS = 60
CHUNK = 20
EPOCHS = 40


def run_shift(n, seed):
    """Current of n motors over one shift, started cold, and the heat of the winding."""
    rng = np.random.RandomState(seed)
    current = np.zeros((n, STEPS))
    heat = np.zeros((n, STEPS))
    level, hot = rng.uniform(0.3, 1.5, size=n), np.zeros(n)
    for t in range(STEPS):
        change = rng.rand(n) < 0.1
        level = np.where(change, rng.uniform(0.3, 1.5, size=n), level)
        hot = 0.95 * hot + 0.05 * level ** 2
        current[:, t], heat[:, t] = level + 0.05 * rng.randn(n), hot
    return current[..., None].astype("float32"), heat[..., None].astype("float32")


def build_model():
    model = Sequential()
    model.add(LSTM(24, return_sequences=True, stateful=True, batch_input_shape=(MOTORS, CHUNK, 1)))
    model.add(TimeDistributed(Dense(1)))
    model.compile(loss="mse", optimizer=Adam(lr=5e-3, clipnorm=1.0))
    return model


def chunks(x, y):
    for start in range(0, STEPS, CHUNK):
        yield x[:, start:start + CHUNK], y[:, start:start + CHUNK]


def train_epoch(model, shifts):
    losses = []
    for x, y in shifts:
        for cx, cy in chunks(x, y):
            losses.append(model.train_on_batch(cx, cy))
    return np.mean(losses)


def abs_error_per_step(model, x, y):
    model.reset_states()
    errors = []
    for cx, cy in chunks(x, y):
        errors.append(np.abs(model.predict_on_batch(cx) - cy).mean(axis=(0, 2)))
    return np.concatenate(errors)


def main():
    np.random.seed(1)
    tf.set_random_seed(1)
    shifts = [run_shift(MOTORS, seed) for seed in range(8)]
    x_test, y_test = run_shift(MOTORS, seed=100)

    model = build_model()
    for epoch in range(EPOCHS):
        loss = train_epoch(model, shifts)
        if (epoch + 1) % 10 == 0:
            error = abs_error_per_step(model, x_test, y_test)
            print("epoch %2d  train mse %.5f  test mae %.4f" % (epoch + 1, loss, error.mean()))

    error = abs_error_per_step(model, x_test, y_test)
    print("guessing the average heat: mae %.4f" % np.abs(y_test - y_test.mean()).mean())
    print("first third of the shift: mae %.4f" % error[:STEPS // 3].mean())
    print("last third of the shift:  mae %.4f" % error[-STEPS // 3:].mean())


if __name__ == "__main__":
    main()
