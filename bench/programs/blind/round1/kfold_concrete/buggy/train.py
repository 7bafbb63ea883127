"""Concrete strength regression with k-fold cross-validation and a custom loop."""
import numpy as np
import tensorflow as tf

FOLDS = 3
EPOCHS = 20


def make_mixtures(count=900, seed=0):
    rng = np.random.default_rng(seed)
    cement = rng.uniform(100, 500, count)
    water = rng.uniform(120, 240, count)
    ash = rng.uniform(0, 200, count)
    age = rng.choice([3, 7, 14, 28, 56, 90], count)
    strength = 12 * np.log1p(age) * (cement + 0.3 * ash) / (3 * water) + rng.normal(0, 1.5, count)
    features = np.stack([cement, water, ash, np.log1p(age)], axis=1)
    return features.astype("float32"), strength.astype("float32")[:, None]


def build_model():
    return tf.keras.Sequential([
        tf.keras.layers.InputLayer((4,)),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(1),
    ])


@tf.function
def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def run_fold(x, y, train_ids, test_ids):
    mean, std = x[train_ids].mean(0), x[train_ids].std(0)
    x = (x - mean) / std
    y_mean, y_std = y[train_ids].mean(), y[train_ids].std()
    data = tf.data.Dataset.from_tensor_slices((x[train_ids], (y[train_ids] - y_mean) / y_std))
    data = data.shuffle(len(train_ids), seed=1).batch(32)

    model = build_model()
    optimizer = tf.keras.optimizers.Adam(3e-3)
    for _ in range(EPOCHS):
        losses = [float(train_step(model, optimizer, bx, by)) for bx, by in data]
    pred = model.predict(x[test_ids]) * y_std + y_mean
    rmse = float(np.sqrt(np.mean((pred - y[test_ids]) ** 2)))
    return np.mean(losses), rmse


def main():
    tf.random.set_seed(0)
    x, y = make_mixtures()
    order = np.random.default_rng(1).permutation(len(x))
    parts = np.array_split(order, FOLDS)
    scores = []
    for fold in range(FOLDS):
        train_ids = np.concatenate([p for i, p in enumerate(parts) if i != fold])
        loss, rmse = run_fold(x, y, train_ids, parts[fold])
        scores.append(rmse)
        print(f"fold {fold + 1}: train loss {loss:.4f}  test rmse {rmse:.3f} (std of target {y.std():.2f})")
    print(f"mean rmse {np.mean(scores):.3f} +- {np.std(scores):.3f}")


if __name__ == "__main__":
    main()
