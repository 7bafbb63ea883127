"""Scores how likely a point belongs to the ring rather than to the background around it.

Training goes on for up to ten epochs and is stopped early by the area under the ROC curve on
held-out points; the weights of the best epoch are kept.
"""

import keras
import numpy as np
from keras import layers


def make_points(count, rng):
    """Points in the plane; label 1 for those on a ring of radius 2 around the origin."""
    labels = (rng.random(count) < 0.5).astype("float32")
    angle = rng.uniform(0.0, 2.0 * np.pi, count)
    background = np.where(rng.random(count) < 0.5, 0.8, 3.2)
    radius = np.where(labels == 1, 2.0, background) + rng.normal(0.0, 0.2, count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return (points / 2.0).astype("float32"), labels[:, None]


def build_model():
    """A small dense network with a probability as output."""
    model = keras.Sequential(
        [
            keras.Input(shape=(2,)),
            layers.Dense(32, activation="relu"),
            layers.Dense(32, activation="relu"),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    optimizer = keras.optimizers.SGD(learning_rate=0.2, momentum=0.9)
    auc = keras.metrics.AUC(name="auc")
    model.compile(optimizer=optimizer, loss="binary_crossentropy", metrics=[auc])
    return model


def train(seed=0, epochs=10):
    """Trains with early stopping; returns the model and its training history."""
    keras.utils.clear_session()
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    points, labels = make_points(1024, rng)
    stopper = keras.callbacks.EarlyStopping(
        monitor="val_auc", mode="min", patience=2, restore_best_weights=True
    )
    model = build_model()
    history = model.fit(
        points,
        labels,
        batch_size=64,
        epochs=epochs,
        validation_data=make_points(256, rng),
        callbacks=[stopper],
        verbose=0,
    )
    return model, history


def accuracy(model, seed=0):
    """Share of new points put on the right side."""
    points, labels = make_points(1000, np.random.default_rng(seed + 50_000))
    return float(((np.asarray(model(points, training=False)) > 0.5) == labels).mean())


def main():
    model, history = train()
    print("epochs run:", len(history.epoch))
    print("val_auc per epoch:", [round(value, 3) for value in history.history["val_auc"]])
    print("accuracy on new points: %.3f" % accuracy(model))


if __name__ == "__main__":
    main()
