import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

SENSORS = 20
EPOCHS = 40


def make_log(n, seed):
    """Sensor snapshots of pumps; about six per cent fail within the next week."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, SENSORS)).astype("float32")
    wear = 1.4 * x[:, 0] * x[:, 1] + 1.2 * np.abs(x[:, 2]) + 0.9 * x[:, 3] - 0.8 * x[:, 4] ** 2
    wear = wear + 0.4 * rng.standard_normal(n)
    y = (wear > 2.9).astype("float32")
    return x, y


def build_model():
    model = tf.keras.Sequential([
        tf.keras.layers.InputLayer((SENSORS,)),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-3),
        loss="binary_crossentropy",
        metrics=[tf.keras.metrics.AUC(curve="PR", name="prc")],
    )
    return model


def precision_recall(y, prob, threshold):
    alarm = prob >= threshold
    tp = np.sum(alarm & (y == 1))
    return tp / max(alarm.sum(), 1), tp / max((y == 1).sum(), 1)


def main():
    np.random.seed(0)
    tf.random.set_seed(0)
    x_train, y_train = make_log(8000, seed=1)
    x_val, y_val = make_log(3000, seed=2)
    x_test, y_test = make_log(4000, seed=3)
    print(f"failures in training data: {y_train.mean():.3f}")

    model = build_model()
    stopper = tf.keras.callbacks.EarlyStopping(
        monitor="val_prc",
        mode="max",
        patience=6,
        restore_best_weights=True,
    )
    model.fit(
        x_train, y_train,
        validation_data=(x_val, y_val),
        epochs=EPOCHS,
        batch_size=64,
        callbacks=[stopper],
        verbose=2,
    )
    loss, prc = model.evaluate(x_test, y_test, verbose=0)
    print(f"test loss {loss:.4f}  test area under PR curve {prc:.4f}")
    prob = model.predict(x_test)[:, 0]
    for threshold in (0.2, 0.5):
        p, r = precision_recall(y_test, prob, threshold)
        print(f"threshold {threshold}: precision {p:.3f} recall {r:.3f}")


if __name__ == "__main__":
    main()
