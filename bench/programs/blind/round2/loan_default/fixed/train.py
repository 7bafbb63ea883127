import keras
import numpy as np
from keras import layers

FIELDS = ["income", "debt", "age", "months_employed", "open_lines", "late_payments", "zip_risk"]


def applicants(n, seed):
    rng = np.random.default_rng(seed)
    income = rng.lognormal(10.6, 0.5, n)
    debt = income * rng.beta(2, 3, n) * 1.5
    age = rng.uniform(20, 70, n)
    employed = rng.gamma(2.0, 40.0, n)
    lines = rng.poisson(4, n)
    late = rng.poisson(0.8, n)
    zip_risk = rng.normal(0.05, 0.02, n)
    ratio = debt / income
    score = (6.0 * (ratio - 0.6) + 1.4 * (late - 0.8) - 0.012 * (employed - 80)
             - 0.03 * (age - 45) + 40 * (zip_risk - 0.05) + 0.4 * (late > 1) * (lines - 4))
    default = (rng.logistic(0, 0.5, n) < score).astype("float32")
    table = np.column_stack([income, debt, age, employed, lines, late, zip_risk])
    return table.astype("float32"), default


def make_model(x_train):
    scaler = layers.Normalization(axis=-1)
    scaler.adapt(x_train)
    model = keras.Sequential([
        keras.Input((len(FIELDS),)),
        scaler,
        layers.Dense(32, activation="relu"),
        layers.Dense(32, activation="relu"),
        layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy",
                  metrics=["accuracy", keras.metrics.AUC(name="auc")])
    return model


def main():
    keras.utils.set_random_seed(0)
    x_train, y_train = applicants(4000, seed=0)
    x_val, y_val = applicants(1000, seed=1)
    print("default rate: train %.3f, validation %.3f" % (y_train.mean(), y_val.mean()))
    model = make_model(x_train)
    model.fit(x_train, y_train, validation_data=(x_val, y_val),
              epochs=15, batch_size=32, verbose=2)
    result = model.evaluate(x_val, y_val, verbose=0, return_dict=True)
    print("validation: " + ", ".join(f"{k} {v:.3f}" for k, v in result.items()))


if __name__ == "__main__":
    main()
