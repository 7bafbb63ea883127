"""Hourly bike rentals, forward-chaining evaluation over several seasons (TF 2)."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

N_SPLITS = 3
EPOCHS = 20
BATCH = 64


def simulate_rentals(days=200, seed=0):
    rng = np.random.default_rng(seed)
    hours = np.arange(days * 24)
    hod, dow = hours % 24, (hours // 24) % 7
    temp = 12 + 10 * np.sin(2 * np.pi * hours / (24 * 365)) + 4 * np.sin(2 * np.pi * (hod - 8) / 24)
    temp = temp + rng.normal(0, 2, len(hours))
    rain = rng.random(len(hours)) < 0.15
    work = np.exp(-0.5 * ((hod - 8) / 1.5) ** 2) + np.exp(-0.5 * ((hod - 17.5) / 2) ** 2)
    leisure = 0.9 * np.exp(-0.5 * ((hod - 14) / 3.5) ** 2)
    rate = 20 + 150 * np.where(dow < 5, work, leisure) * (0.5 + 0.025 * temp) * np.where(rain, 0.5, 1.0)
    count = rng.poisson(np.maximum(rate, 1))
    features = np.stack([np.sin(2 * np.pi * hod / 24), np.cos(2 * np.pi * hod / 24),
                         np.sin(4 * np.pi * hod / 24), np.cos(4 * np.pi * hod / 24),
                         dow < 5, temp, rain], axis=1)
    return features.astype("float32"), np.log1p(count).astype("float32")


def make_model(n_features):
    return keras.Sequential([
        keras.layers.Dense(48, activation="relu", input_shape=(n_features,)),
        keras.layers.Dense(48, activation="relu"),
        keras.layers.Dense(1),
    ])


def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        pred = tf.squeeze(model(x, training=True), axis=-1)
        loss = tf.reduce_mean(tf.square(pred - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def rmse(model, x, y):
    pred = model(x, training=False).numpy()[:, 0]
    return float(np.sqrt(np.mean((pred - y) ** 2)))


def run_split(x_train, y_train, x_val, y_val):
    mean, std = x_train.mean(axis=0), x_train.std(axis=0)
    x_train, x_val = (x_train - mean) / std, (x_val - mean) / std
    model = make_model(x_train.shape[1])
    optimizer = keras.optimizers.Adam(2e-3)
    step = tf.function(train_step)
    data = tf.data.Dataset.from_tensor_slices((x_train, y_train))
    data = data.shuffle(len(y_train), seed=0).batch(BATCH, drop_remainder=True).prefetch(1)
    for epoch in range(EPOCHS):
        losses = [step(model, optimizer, xb, yb).numpy() for xb, yb in data]
        if (epoch + 1) % 5 == 0:
            print("  epoch %2d  mse %.4f  val rmse %.4f"
                  % (epoch + 1, np.mean(losses), rmse(model, x_val, y_val)))
    return rmse(model, x_val, y_val)


def main():
    tf.random.set_seed(1)
    np.random.seed(1)
    x, y = simulate_rentals()
    block = len(x) // (N_SPLITS + 1)
    scores = []
    for s in range(1, N_SPLITS + 1):
        print("split", s)
        train, val = slice(0, s * block), slice(s * block, (s + 1) * block)
        scores.append(run_split(x[train], y[train], x[val], y[val]))
    print("rmse of log counts per split:", np.round(scores, 3), "mean %.3f" % np.mean(scores),
          "(std of the target %.3f)" % y.std())


if __name__ == "__main__":
    main()
