import numpy as np
import tensorflow as tf

tf.random.set_seed(12)
rng = np.random.default_rng(12)

# hourly bike rentals from hour, temperature, wind and weekend flag
N = 4000
hour = rng.integers(0, 24, N)
temp = rng.normal(15, 8, N)
wind = rng.gamma(2.0, 5.0, N)
weekend = rng.integers(0, 2, N)
rush = np.exp(-((hour - 8) / 2.0) ** 2) + 1.2 * np.exp(-((hour - 17) / 2.5) ** 2)
noon = np.exp(-((hour - 13) / 4.0) ** 2)
demand = np.where(weekend == 1, noon * 250, rush * 280) * (0.4 + 0.04 * np.clip(temp, 0, 30))
rentals = demand * np.exp(-wind / 60) + rng.normal(0, 12, N) + 30

angle = 2 * np.pi * hour / 24
features = np.stack([np.sin(angle), np.cos(angle), np.sin(2 * angle), np.cos(2 * angle), temp, wind, weekend], axis=1)
features = features.astype("float32")
target = rentals.astype("float32")

cut = 3200
mean, std = features[:cut].mean(0), features[:cut].std(0)
features = (features - mean) / std
t_mean, t_std = target[:cut].mean(), target[:cut].std()
scaled = (target - t_mean) / t_std

train_ds = tf.data.Dataset.from_tensor_slices((features[:cut], scaled[:cut])).shuffle(cut, seed=12).batch(64)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu", input_shape=(features.shape[1],)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam(2e-3)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        pred = model(x, training=True)
        loss = tf.reduce_mean(tf.square(y - pred))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def test_mae():
    pred = model(features[cut:], training=False).numpy().ravel() * t_std + t_mean
    return np.abs(pred - target[cut:]).mean()


for epoch in range(1, 31):
    losses = [train_step(x, y).numpy() for x, y in train_ds]
    if epoch % 3 == 0:
        print(f"epoch {epoch:2d}  loss {np.mean(losses):.4f}  test MAE {test_mae():.2f} bikes")
print(f"mean absolute deviation of the target: {np.abs(target[cut:] - t_mean).mean():.2f}")
