import numpy as np
from keras.layers import Activation, Dense
from keras.models import Sequential


def measurements(count, seed):
    """Power of a pump (scaled) by its speed (-1 to 1)."""
    rng = np.random.RandomState(seed)
    speed = rng.uniform(-1, 1, size=(count, 1))
    power = 8 * speed ** 4 - 7 * speed ** 2 + 0.6 * speed + 1
    return speed, power + rng.normal(0, 0.05, size=power.shape)


def fit_curve(seed=0, epochs=40):
    speed, power = measurements(900, seed)
    model = Sequential()
    model.add(Dense(units=200, input_dim=1))
    model.add(Activation("relu"))
    model.add(Dense(units=45))
    model.add(Activation("relu"))
    model.add(Dense(units=1))
    model.compile(loss="mean_squared_error", optimizer="sgd")
    history = model.fit(speed, power, epochs=epochs, batch_size=50, verbose=0)
    print("loss: first epoch %.3f, last epoch %.3f" % (history.history["loss"][0], history.history["loss"][-1]))
    return model


if __name__ == "__main__":
    model = fit_curve()
    for value in np.linspace(-1, 1, 9):
        real = 8 * value ** 4 - 7 * value ** 2 + 0.6 * value + 1
        print("speed %5.2f: real %6.2f, fitted %6.2f" % (value, real, model.predict(np.array([[value]]))[0, 0]))
