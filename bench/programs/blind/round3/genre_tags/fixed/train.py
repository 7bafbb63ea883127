import os
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
from keras import layers

GENRES = ["drama", "comedy", "crime", "romance", "scifi", "horror"]
N_FEATURES = 60
EPOCHS = 15
CHECKPOINT = "best.weights.h5"


def make_films(n, seed):
    """Bag-of-words counts of a plot; a film has between one and three genres."""
    profile = np.random.default_rng(99).gamma(0.25, 1.0, size=(len(GENRES), N_FEATURES))
    profile /= profile.sum(1, keepdims=True)
    rng = np.random.default_rng(seed)
    x = np.zeros((n, N_FEATURES), dtype="float32")
    y = np.zeros((n, len(GENRES)), dtype="float32")
    for i in range(n):
        k = rng.integers(1, 4)
        chosen = rng.choice(len(GENRES), size=k, replace=False)
        y[i, chosen] = 1
        mix = 0.8 * profile[chosen].mean(0) + 0.2 / N_FEATURES
        x[i] = rng.multinomial(60, mix)
    return np.log1p(x), y


def build_model():
    inputs = keras.Input((N_FEATURES,))
    h = layers.Dense(64, activation="relu")(inputs)
    h = layers.Dropout(0.2)(h)
    h = layers.Dense(64, activation="relu")(h)
    outputs = layers.Dense(len(GENRES), activation="sigmoid")(h)
    model = keras.Model(inputs, outputs)
    model.compile(
        optimizer=keras.optimizers.Adam(2e-3),
        loss="binary_crossentropy",
        metrics=[keras.metrics.AUC(multi_label=True, num_labels=len(GENRES), name="auc")],
    )
    return model


def f1_per_genre(y_true, prob):
    pred = prob > 0.5
    tp = (pred & (y_true > 0)).sum(0)
    return 2 * tp / np.maximum(pred.sum(0) + y_true.sum(0), 1)


def main():
    keras.utils.set_random_seed(0)
    x_train, y_train = make_films(3000, seed=1)
    x_val, y_val = make_films(500, seed=2)
    x_test, y_test = make_films(800, seed=3)
    model = build_model()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, CHECKPOINT)
        callbacks = [
            keras.callbacks.ModelCheckpoint(
                path, monitor="val_auc", mode="max", save_best_only=True, save_weights_only=True),
            keras.callbacks.ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=2),
        ]
        model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=EPOCHS,
                  batch_size=64, callbacks=callbacks, verbose=2)
        model.load_weights(path)
    loss, auc = model.evaluate(x_test, y_test, verbose=0)
    print(f"test loss {loss:.4f}  test AUC {auc:.4f}")
    for genre, f1 in zip(GENRES, f1_per_genre(y_test, model.predict(x_test, verbose=0))):
        print(f"  {genre:8s} F1 {f1:.3f}")


if __name__ == "__main__":
    main()
