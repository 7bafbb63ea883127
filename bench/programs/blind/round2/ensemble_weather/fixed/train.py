"""Small ensemble for next-day rain, trained with custom loops."""
import numpy as np
import tensorflow as tf

MEMBERS = 3
EPOCHS = 12


def stations(n, seed):
    rng = np.random.default_rng(seed)
    pressure = rng.normal(1013, 8, n)
    humidity = rng.uniform(20, 100, n)
    wind = rng.gamma(2.0, 3.0, n)
    temp = rng.normal(14, 7, n)
    trend = rng.normal(0, 3, n)
    score = (0.12 * (humidity - 65) - 0.15 * (pressure - 1013) - 0.5 * trend
             + 0.1 * wind * (temp > 12) - 0.8)
    rain = (rng.logistic(0, 1, n) < score).astype(np.float32)
    return np.column_stack([pressure, humidity, wind, temp, trend]).astype(np.float32), rain


def build(seed):
    init = tf.keras.initializers.GlorotUniform(seed=seed)
    return tf.keras.Sequential([
        tf.keras.layers.Dense(32, activation="relu", kernel_initializer=init, input_shape=(5,)),
        tf.keras.layers.Dense(16, activation="relu", kernel_initializer=init),
        tf.keras.layers.Dense(1),
    ])


bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = bce(y, model(x, training=True)[:, 0])
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def main():
    tf.random.set_seed(0)
    x_train, y_train = stations(4000, seed=0)
    x_val, y_val = stations(1000, seed=1)
    mean, std = x_train.mean(0), x_train.std(0)
    x_train, x_val = (x_train - mean) / std, (x_val - mean) / std

    members = []
    for k in range(MEMBERS):
        model = build(seed=k)
        optimizer = tf.keras.optimizers.Adam(2e-3)
        step = tf.function(train_step)
        data = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(
            len(x_train), seed=k).batch(64)
        for epoch in range(EPOCHS):
            losses = [float(step(model, optimizer, x, y)) for x, y in data]
        logits = model(x_val, training=False).numpy()[:, 0]
        acc = np.mean((logits > 0) == (y_val > 0.5))
        print(f"member {k}: final train loss {np.mean(losses):.4f}, val acc {acc:.3f}")
        members.append(model)

    prob = np.mean([tf.sigmoid(m(x_val, training=False)).numpy()[:, 0] for m in members], axis=0)
    print(f"ensemble val acc {np.mean((prob > 0.5) == (y_val > 0.5)):.3f}, "
          f"Brier score {np.mean((prob - y_val) ** 2):.4f}")


if __name__ == "__main__":
    main()
