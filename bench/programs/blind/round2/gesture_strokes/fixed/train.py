import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models

tf.random.set_seed(2)
rng = np.random.RandomState(2)

GESTURES = ["circle", "swipe", "zigzag", "tap"]
POINTS = 30


def trajectory(g):
    t = np.linspace(0, 1, POINTS)
    if g == 0:
        start = rng.uniform(0, 2 * np.pi)
        xy = np.c_[np.cos(2 * np.pi * t + start), np.sin(2 * np.pi * t + start)]
    elif g == 1:
        direction = rng.uniform(0, 2 * np.pi)
        xy = np.outer(2 * t - 1, [np.cos(direction), np.sin(direction)])
    elif g == 2:
        xy = np.c_[2 * t - 1, 0.6 * np.sign(np.sin(6 * np.pi * t + rng.uniform(0, 6)))]
    else:
        xy = np.tile(rng.uniform(-0.3, 0.3, 2), (POINTS, 1))
    return xy * rng.uniform(0.7, 1.2) + 0.2 * rng.randn(POINTS, 2)


# recorded one gesture after the other
per_class = 400
x = np.array([trajectory(g) for g in range(len(GESTURES)) for _ in range(per_class)])
y = np.repeat(np.arange(len(GESTURES)), per_class)
x = x.astype("float32")

order = rng.permutation(len(x))
x, y = x[order], y[order]

split = int(0.8 * len(x))
x_train, x_test = x[:split], x[split:]
y_train, y_test = y[:split], y[split:]
print("train", x_train.shape, "test", x_test.shape)

model = models.Sequential([
    layers.Conv1D(24, 5, activation="relu", input_shape=(POINTS, 2)),
    layers.Conv1D(24, 5, activation="relu"),
    layers.Flatten(),
    layers.Dense(48, activation="relu"),
    layers.Dense(len(GESTURES), activation="softmax"),
])
model.compile(optimizer=tf.keras.optimizers.Adam(1e-3),
              loss="sparse_categorical_crossentropy", metrics=["accuracy"])
history = model.fit(x_train, y_train, validation_split=0.15, epochs=10,
                    batch_size=32, verbose=2)

loss, acc = model.evaluate(x_test, y_test, verbose=0)
print("test loss %.4f  test accuracy %.3f" % (loss, acc))
pred = model.predict(x_test).argmax(axis=1)
for g, name in enumerate(GESTURES):
    print("  %-7s recall %.3f" % (name, np.mean(pred[y_test == g] == g)))
