"""1-D U-Net that marks heart beats in simulated ECG strips."""
import keras
import numpy as np
from keras import layers

WINDOW = 96
FILTERS = (12, 24, 48)

keras.utils.set_random_seed(8)
rng = np.random.default_rng(8)


def ecg_strip():
    t = np.arange(WINDOW, dtype=float)
    signal = 0.3 * np.sin(2 * np.pi * t / rng.uniform(60, 140) + rng.uniform(0, 6))
    marks = np.zeros(WINDOW)
    beat = rng.uniform(4, 20)
    while beat < WINDOW:
        signal += rng.uniform(0.8, 1.3) * np.exp(-0.5 * ((t - beat) / 1.2) ** 2)
        signal += 0.35 * np.exp(-0.5 * ((t - beat - 9) / 2.5) ** 2)
        marks[np.abs(t - beat) <= 2.5] = 1.0
        beat += rng.uniform(20, 32)
    signal += 0.15 * rng.standard_normal(WINDOW)
    return signal[:, None], marks[:, None]


def make(count):
    strips = [ecg_strip() for _ in range(count)]
    return (np.stack([s for s, _ in strips]).astype("float32"),
            np.stack([m for _, m in strips]).astype("float32"))


def conv_pair(x, filters):
    for _ in range(2):
        x = layers.Conv1D(filters, 5, padding="same", activation="relu")(x)
    return x


def unet():
    inputs = keras.Input((WINDOW, 1))
    x, skips = inputs, []
    for filters in FILTERS:
        x = conv_pair(x, filters)
        skips.append(x)
        x = layers.MaxPooling1D(2)(x)
    x = conv_pair(x, 2 * FILTERS[-1])
    for filters, skip in zip(reversed(FILTERS), reversed(skips)):
        x = layers.UpSampling1D(2)(x)
        x = layers.Concatenate()([x, skip])
        x = conv_pair(x, filters)
    return keras.Model(inputs, layers.Conv1D(1, 1, activation="sigmoid")(x))


x_train, y_train = make(1000)
x_val, y_val = make(250)
model = unet()
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy",
              metrics=["accuracy"])
model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=6, batch_size=25, verbose=2)

marked = model.predict(x_val, verbose=0) > 0.5
truth = y_val > 0.5
dice = 2 * np.sum(marked & truth) / (marked.sum() + truth.sum())
print(f"validation dice {dice:.3f}")
