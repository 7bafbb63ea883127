import keras
import numpy as np
from keras import layers

FOLDS = 4
EPOCHS = 12


def make_loans(n=3000, seed=0):
    rng = np.random.default_rng(seed)
    income = rng.lognormal(10.3, 0.5, n)
    amount = rng.lognormal(9.2, 0.7, n)
    age = rng.uniform(20, 70, n)
    late = rng.poisson(0.6, n)
    years = rng.gamma(2, 3, n)
    risk = 1.1 * np.log(amount / income) + 0.7 * late - 0.12 * years - 0.02 * (age - 40) + 0.6
    default = rng.random(n) < 1 / (1 + np.exp(-risk))
    x = np.column_stack([np.log(income), np.log(amount), age, late, years])
    return x.astype("float32"), default.astype("float32")


class EpochReport(keras.callbacks.Callback):
    """Remembers the best validation AUC of a fold and prints every few epochs."""

    def __init__(self, fold, every=4):
        super().__init__()
        self.fold = fold
        self.every = every
        self.best = 0.0
        self.best_epoch = None

    def on_epoch_end(self, epoch, logs=None):
        auc = logs["val_auc"]
        if auc > self.best:
            self.best, self.best_epoch = auc, epoch + 1
        if (epoch + 1) % self.every == 0:
            print(f"  fold {self.fold} epoch {epoch + 1:2d}: loss {logs['loss']:.4f} "
                  f"val_loss {logs['val_loss']:.4f} val_auc {auc:.4f}")


def build_model(x_train):
    norm = layers.Normalization()
    norm.adapt(x_train)
    model = keras.Sequential([
        keras.Input((x_train.shape[1],)),
        norm,
        layers.Dense(32, activation="relu"),
        layers.Dropout(0.1),
        layers.Dense(16, activation="relu"),
        layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss="binary_crossentropy",
        metrics=[keras.metrics.AUC(name="auc")],
    )
    return model


def main():
    keras.utils.set_random_seed(5)
    x, y = make_loans()
    order = np.random.default_rng(5).permutation(len(x))
    folds = np.array_split(order, FOLDS)
    scores = []
    for k in range(FOLDS):
        val = folds[k]
        train = np.concatenate([folds[j] for j in range(FOLDS) if j != k])
        model = build_model(x[train])
        report = EpochReport(k)
        model.fit(x[train], y[train], validation_data=(x[val], y[val]),
                  epochs=EPOCHS, batch_size=64, verbose=0, callbacks=[report])
        loss, auc = model.evaluate(x[val], y[val], verbose=0)
        scores.append(auc)
        print(f"fold {k}: final auc {auc:.4f}, best {report.best:.4f} (epoch {report.best_epoch})")
    print(f"cross-validated auc {np.mean(scores):.4f} +- {np.std(scores):.4f}")


if __name__ == "__main__":
    main()
