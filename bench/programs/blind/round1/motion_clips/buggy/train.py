"""Direction of a moving object in short noisy 8-bit camera clips."""
import argparse

import numpy as np
import keras
from keras import layers

FRAMES, SIZE = 5, 24
DIRECTIONS = [(0, 1), (0, -1), (1, 0), (-1, 0)]


def record_clip(direction, rng):
    yy, xx = np.mgrid[:SIZE, :SIZE]
    dy, dx = DIRECTIONS[direction]
    speed = rng.uniform(0.8, 1.6)
    cy, cx = rng.uniform(7, SIZE - 7, 2)
    background = rng.uniform(60, 120) + 10 * rng.normal(size=(SIZE, SIZE))
    frames = []
    for t in range(FRAMES):
        y = cy + dy * speed * (t - FRAMES // 2)
        x = cx + dx * speed * (t - FRAMES // 2)
        spot = 25 * np.exp(-((yy - y) ** 2 + (xx - x) ** 2) / 10)
        frames.append(background + spot + rng.normal(0, 8, (SIZE, SIZE)))
    return np.clip(np.round(frames), 0, 255).astype("uint8")


def make_clips(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(DIRECTIONS), count)
    return np.stack([record_clip(d, rng) for d in labels]), labels


def motion_features(clips):
    """Differences of successive frames, as channels, roughly in [-1, 1]."""
    change = clips[:, 1:] - clips[:, :-1]
    return np.moveaxis(change, 1, -1).astype("float32") / 32.0


def build_model():
    return keras.Sequential([
        layers.Input((SIZE, SIZE, FRAMES - 1)),
        layers.Conv2D(16, 5, padding="same", activation="relu"),
        layers.MaxPooling2D(2),
        layers.Conv2D(32, 3, padding="same", activation="relu"),
        layers.GlobalMaxPooling2D(),
        layers.Dense(32, activation="relu"),
        layers.Dense(len(DIRECTIONS), activation="softmax"),
    ])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)

    clips, labels = make_clips(1200, args.seed)
    val_clips, val_labels = make_clips(300, args.seed + 1)
    model = build_model()
    model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="sparse_categorical_crossentropy",
                  metrics=["accuracy"])
    model.fit(motion_features(clips), labels, batch_size=32, epochs=args.epochs, verbose=2,
              validation_data=(motion_features(val_clips), val_labels))


if __name__ == "__main__":
    main()
