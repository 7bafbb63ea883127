"""Wine grading with a tf.data input pipeline, early stopping and a held-out test set."""
import argparse

import numpy as np
import tensorflow as tf

GRADES = 3


def make_wines(count, seed):
    rng = np.random.default_rng(seed)
    chem = rng.normal(size=(count, 12)).astype("float32")
    score = 1.2 * np.tanh(chem[:, 0] * 1.5) + chem[:, 1] * chem[:, 2] * 0.8 - 0.7 * chem[:, 3]
    score += rng.normal(0, 0.5, count)
    grade = np.digitize(score, [-0.6, 0.6])
    return chem, grade.astype("int32")


def make_pipelines(chem, grade, val_size, batch):
    data = tf.data.Dataset.from_tensor_slices((chem, grade))
    data = data.shuffle(len(grade), seed=0, reshuffle_each_iteration=False)
    val = data.take(val_size).batch(batch)
    train = data.skip(val_size).shuffle(len(grade) - val_size, seed=1).batch(batch)
    return train, val


def build_model(width):
    model = tf.keras.Sequential([
        tf.keras.layers.InputLayer((12,)),
        tf.keras.layers.Dense(width, activation="relu"),
        tf.keras.layers.Dense(width, activation="relu"),
        tf.keras.layers.Dense(GRADES, activation="softmax"),
    ])
    model.compile(optimizer=tf.keras.optimizers.Adam(1e-3), loss="sparse_categorical_crossentropy",
                  metrics=["accuracy"])
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()

    tf.random.set_seed(0)
    train, val = make_pipelines(*make_wines(2500, seed=0), val_size=500, batch=args.batch)
    test_x, test_y = make_wines(2000, seed=1)
    model = build_model(args.width)
    stop = tf.keras.callbacks.EarlyStopping(monitor="val_loss", patience=6, restore_best_weights=True)
    history = model.fit(train, validation_data=val, epochs=args.epochs, callbacks=[stop], verbose=2)
    best = int(np.argmin(history.history["val_loss"]))
    test_loss, test_acc = model.evaluate(test_x, test_y, verbose=0)
    print(f"best epoch {best + 1}: val loss {history.history['val_loss'][best]:.4f} "
          f"val acc {history.history['val_accuracy'][best]:.3f}")
    print(f"test loss {test_loss:.4f} test acc {test_acc:.3f}")


if __name__ == "__main__":
    main()
