"""Surface defects on a new steel line, starting from a network of the old line."""
import keras
import numpy as np
from keras import layers

SIZE = 24


def textures(n, n_classes, angle_offset, period, seed):
    """Oriented scratches: the class is the direction of the stripes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, size=n)
    yy, xx = np.mgrid[:SIZE, :SIZE]
    theta = np.pi * y / n_classes + angle_offset + rng.normal(0, 0.05, size=n)
    freq = 2 * np.pi / (period * rng.uniform(0.9, 1.1, size=n))
    phase = rng.uniform(0, 2 * np.pi, size=n)
    wave = np.sin(freq[:, None, None] * (np.cos(theta)[:, None, None] * xx
                  + np.sin(theta)[:, None, None] * yy) + phase[:, None, None])
    x = 0.8 * wave + 0.9 * rng.standard_normal((n, SIZE, SIZE))
    return x[..., None].astype("float32"), y


def make_backbone():
    return keras.Sequential([
        keras.Input((SIZE, SIZE, 1)),
        layers.Conv2D(12, 5, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(24, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(32, 3, padding="same", activation="relu"),
        layers.GlobalAveragePooling2D(),
    ], name="backbone")


def with_head(backbone, n_classes):
    inputs = keras.Input((SIZE, SIZE, 1))
    out = layers.Dense(n_classes, activation="softmax")(backbone(inputs))
    return keras.Model(inputs, out)


def compile_model(model, lr):
    model.compile(optimizer=keras.optimizers.Adam(lr),
                  loss="sparse_categorical_crossentropy", metrics=["accuracy"])


keras.utils.set_random_seed(5)

# old line: four directions of coarse scratches
x_old, y_old = textures(2500, 4, 0.0, period=8.0, seed=1)
backbone = make_backbone()
old_model = with_head(backbone, 4)
compile_model(old_model, 2e-3)
print("pretraining on the old line")
old_model.fit(x_old, y_old, epochs=5, batch_size=64, validation_split=0.1, verbose=2)

# new line: six directions of fine scratches
x_train, y_train = textures(1800, 6, 0.2, period=3.5, seed=2)
x_val, y_val = textures(400, 6, 0.2, period=3.5, seed=3)
x_test, y_test = textures(600, 6, 0.2, period=3.5, seed=4)

backbone.trainable = False
model = with_head(backbone, 6)
compile_model(model, 5e-3)
print("training the new head")
model.fit(x_train, y_train, epochs=4, batch_size=64, validation_data=(x_val, y_val), verbose=2)

backbone.trainable = True
compile_model(model, 1e-3)
print("fine-tuning")
model.fit(x_train, y_train, epochs=10, batch_size=64, validation_data=(x_val, y_val), verbose=2)

loss, acc = model.evaluate(x_test, y_test, verbose=0)
print(f"new line: test loss {loss:.4f}  accuracy {acc:.3f}")
