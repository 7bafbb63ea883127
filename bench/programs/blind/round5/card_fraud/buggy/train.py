"""Card fraud alerts: the analysts accept alerts of at least 70 % precision."""
import keras
import numpy as np
from keras import layers

N_FEATURES = 12
TARGET_PRECISION = 0.70


def make_transactions(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, N_FEATURES)).astype("float32")
    risk = (1.3 * x[:, 0] * x[:, 1] + 1.2 * np.maximum(x[:, 2], 0) + 0.9 * x[:, 3]
            - 0.8 * np.abs(x[:, 4]) - 3.2)
    y = (rng.random(n) < 1 / (1 + np.exp(-4 * risk))).astype("int32")
    return x, y


def oversample(x, y, rng):
    """Repeat the frauds until both classes are equally frequent."""
    pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    extra = rng.choice(pos, size=len(neg) - len(pos), replace=True)
    index = rng.permutation(np.concatenate([pos, neg, extra]))
    return x[index], y[index]


def split(x, y, fraction, rng):
    order = rng.permutation(len(y))
    cut = int(len(y) * (1 - fraction))
    return x[order[:cut]], y[order[:cut]], x[order[cut:]], y[order[cut:]]


def precision_recall_f1(y, flag):
    tp = np.sum(flag & (y == 1))
    precision = tp / max(flag.sum(), 1)
    recall = tp / max((y == 1).sum(), 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def alert_threshold(y, score):
    """Lowest threshold from which on the alerts are as precise as required."""
    for cut in np.linspace(0.02, 0.98, 97):
        if precision_recall_f1(y, score > cut)[0] >= TARGET_PRECISION:
            return cut
    return 0.98


def build_model():
    model = keras.Sequential([
        keras.Input((N_FEATURES,)),
        layers.Dense(64, activation="relu"),
        layers.Dense(64, activation="relu"),
        layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy",
                  metrics=[keras.metrics.AUC(curve="PR", name="pr_auc")])
    return model


def main():
    keras.utils.set_random_seed(17)
    rng = np.random.default_rng(17)
    x, y = make_transactions(20000, seed=1)
    x_test, y_test = make_transactions(9000, seed=2)
    print(f"fraud rate {y.mean():.4f}")

    x, y = oversample(x, y, rng)
    x_train, y_train, x_val, y_val = split(x, y, 0.25, rng)

    model = build_model()
    stop = keras.callbacks.EarlyStopping(monitor="val_pr_auc", mode="max", patience=4,
                                         restore_best_weights=True)
    model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=30, batch_size=128,
              callbacks=[stop], verbose=2)

    val_score = model.predict(x_val, verbose=0).ravel()
    cut = alert_threshold(y_val, val_score)
    print("validation  threshold %.2f  precision %.3f recall %.3f F1 %.3f"
          % (cut, *precision_recall_f1(y_val, val_score > cut)))
    score = model.predict(x_test, verbose=0).ravel()
    print("test        precision %.3f recall %.3f F1 %.3f"
          % precision_recall_f1(y_test, score > cut))


if __name__ == "__main__":
    main()
