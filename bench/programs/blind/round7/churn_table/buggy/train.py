#!/usr/bin/env python
"""Churn of phone customers with mixed features."""
import keras
import numpy as np

config = {
    "seed": 33,
    "customers": 6000,
    "hidden": [64, 32],
    "dropout": 0.2,
    "learning_rate": 5e-4,
    "batch_size": 64,
    "max_epochs": 40,
    "patience": 6,
}

PLANS = ["basic", "plus", "family", "business"]


def generate(n, rng):
    plan = rng.integers(0, len(PLANS), n)
    months = rng.exponential(24, n)
    calls = rng.poisson(2 + 2 * (plan == 0), n)
    usage = rng.normal(0, 1, n)
    discount = rng.random(n) < 0.3
    z = (-0.4 - 0.05 * months + 0.45 * calls - 0.6 * usage * (plan != 2)
         + 0.9 * usage ** 2 * discount - 0.5 * (plan == 3))
    churn = rng.random(n) < 1 / (1 + np.exp(-z))
    return {"plan": plan, "numeric": np.column_stack([months, calls, usage, discount]).astype("float32"),
            "churn": churn.astype("float32")}


def prepare(data, train_rows):
    num = data["numeric"]
    mean, std = num[train_rows].mean(axis=0), num[train_rows].std(axis=0)
    one_hot = np.eye(len(PLANS), dtype="float32")[data["plan"]]
    return np.concatenate([(num - mean) / std, one_hot], axis=1), data["churn"]


def build(n_features):
    model = keras.Sequential([keras.Input((n_features,))])
    for width in config["hidden"]:
        model.add(keras.layers.Dense(width, activation="relu"))
        model.add(keras.layers.Dropout(config["dropout"]))
    model.add(keras.layers.Dense(1, activation="sigmoid"))
    model.compile(
        optimizer=keras.optimizers.Adam(config["learning_rate"]),
        loss=keras.losses.BinaryCrossentropy(),
        metrics=[keras.metrics.AUC(name="auc"), "accuracy"],
    )
    return model


def main():
    keras.utils.set_random_seed(config["seed"])
    rng = np.random.default_rng(config["seed"])
    data = generate(config["customers"], rng)
    rows = rng.permutation(config["customers"])
    n_train, n_val = int(0.6 * len(rows)), int(0.2 * len(rows))
    train, val, test = rows[:n_train], rows[n_train:n_train + n_val], rows[n_train + n_val:]
    x, y = prepare(data, train)

    stopper = keras.callbacks.EarlyStopping(
        monitor="val_auc",
        mode="min",
        patience=config["patience"],
        restore_best_weights=True,
    )
    model = build(x.shape[1])
    history = model.fit(
        x[train], y[train],
        validation_data=(x[val], y[val]),
        epochs=config["max_epochs"],
        batch_size=config["batch_size"],
        callbacks=[stopper],
        verbose=2,
    )
    result = model.evaluate(x[test], y[test], verbose=0, return_dict=True)
    print("epochs run:", len(history.history["loss"]))
    print("test:", {k: round(v, 4) for k, v in result.items()}, "churn rate", round(float(y[test].mean()), 3))


if __name__ == "__main__":
    main()
