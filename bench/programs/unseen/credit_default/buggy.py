"""Credit default prediction from a customer table with Keras."""
import os
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(8)
rng = np.random.default_rng(8)


def load_customers(n=5000):
    age = rng.integers(19, 80, n).astype(float)
    income = rng.lognormal(10.6, 0.5, n)
    debt = income * rng.beta(2, 4, n)
    late_payments = rng.poisson(1.0, n).astype(float)
    utilisation = rng.beta(2, 3, n)
    accounts = rng.integers(1, 12, n).astype(float)
    risk = (5.0 * (debt / income - 0.33) + 1.4 * (late_payments - 1)
            + 5.0 * (utilisation - 0.4) - 0.02 * (age - 49))
    default = (risk + rng.logistic(0, 0.35, n) > 0).astype("float32")
    x = np.stack([age, income, debt, late_payments, utilisation, accounts], axis=1)
    return x.astype("float32"), default


def build_model(n_features):
    model = keras.Sequential([
        keras.Input(shape=(n_features,)),
        layers.Dense(32, activation="relu"),
        layers.Dense(16, activation="relu"),
        layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss="binary_crossentropy",
        metrics=["accuracy"],
    )
    return model


def main():
    x, y = load_customers()
    x_train, x_test = x[:4000], x[4000:]
    y_train, y_test = y[:4000], y[4000:]

    print("train", x_train.shape, "default rate %.3f" % y_train.mean())
    model = build_model(x.shape[1])
    model.fit(
        x_train, y_train,
        validation_data=(x_test, y_test),
        epochs=15,
        batch_size=64,
        verbose=2,
    )
    loss, acc = model.evaluate(x_test, y_test, verbose=0)
    print(f"test loss {loss:.4f}  test accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
