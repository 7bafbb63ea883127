"""Screening from cough sounds: several clips per patient, one diagnosis per patient."""
import argparse

import keras
import numpy as np
from keras import layers

BANDS, FRAMES = 24, 20


def record_patients(n_patients, rng):
    """Log-band pictures of coughs. Each person has an own vocal tract colour and cough rhythm."""
    clips, labels, names = [], [], []
    bands = np.arange(BANDS)
    time = np.arange(FRAMES)
    for p in range(n_patients):
        sick = int(rng.random() < 0.5)
        colour = np.convolve(rng.normal(0, 1.4, BANDS), np.ones(3) / 3, mode="same")
        decay = rng.uniform(3, 7)
        for c in range(rng.integers(8, 13)):
            onset = rng.integers(0, 6)
            envelope = np.where(time >= onset, np.exp(-(time - onset) / decay), 0)
            spec = colour[:, None] + 2.0 * envelope[None, :]
            wheeze = np.exp(-0.5 * ((bands - rng.normal(15, 1.5)) / 1.5) ** 2)
            late = np.exp(-0.5 * ((time - onset - 7) / 2.5) ** 2)
            spec = spec + sick * rng.uniform(0.6, 1.6) * wheeze[:, None] * late[None, :]
            clips.append(spec + rng.normal(0, 0.7, spec.shape))
            labels.append(sick)
            names.append(f"p{p:03d}_c{c:02d}.wav")
    return np.array(clips, dtype="float32")[..., None], np.array(labels), names


def split(groups, fraction, rng):
    """Indices of two parts; a group is never in both of them."""
    ids = rng.permutation(np.unique(groups))
    held_out = ids[: int(len(ids) * fraction)]
    inside = np.isin(groups, held_out)
    return np.flatnonzero(~inside), np.flatnonzero(inside)


def build_model():
    model = keras.Sequential([
        keras.Input((BANDS, FRAMES, 1)),
        layers.Conv2D(16, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(2),
        layers.Conv2D(32, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(2),
        layers.Flatten(),
        layers.Dense(32, activation="relu"),
        layers.Dropout(0.5),
        layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy",
                  metrics=["accuracy"])
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--patients", type=int, default=300)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=9)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    clips, labels, names = record_patients(args.patients, rng)
    groups = np.array([name.split("_")[0] for name in names])
    train, val = split(groups, 0.25, rng)
    mean, std = clips[train].mean(), clips[train].std()
    clips = (clips - mean) / std
    print(f"{len(clips)} clips of {args.patients} patients, {len(train)} for training, "
          f"{labels.mean():.2f} positive")

    model = build_model()
    model.fit(clips[train], labels[train], validation_data=(clips[val], labels[val]),
              epochs=args.epochs, batch_size=32, verbose=2)
    loss, acc = model.evaluate(clips[val], labels[val], verbose=0)
    print(f"held-out accuracy {acc:.3f} (loss {loss:.3f})")


if __name__ == "__main__":
    main()
