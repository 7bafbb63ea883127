"""Recognises the mood of a drawn face and says how sure it is.

A small convolutional network learns four moods from 12 x 12 drawings; `moods_of` then gives the
probability of every mood for new drawings, and `main` reports the likeliest one.
"""

import keras
import numpy as np
from keras import layers

SIDE = 12
MOODS = ["happy", "sad", "surprised", "neutral"]


def draw_face(mood, rng):
    """One noisy face: two eyes and a mouth, slightly off the middle."""
    face = np.zeros((SIDE, SIDE))
    top, left = rng.integers(0, 2, 2)
    face[top + 2, [left + 3, left + 7]] = 1.0
    columns = np.arange(-3, 4)
    bend = {"happy": -(columns**2) // 4, "sad": columns**2 // 4}.get(mood, 0 * columns)
    if mood == "surprised":
        face[top + 6 : top + 9, left + 4 : left + 7] = 1.0
    else:
        face[top + 8 + bend // 2, left + 5 + columns] = 1.0
    return np.clip(face + rng.normal(0.0, 0.1, face.shape), 0.0, 1.0)


def make_faces(count, rng):
    """Faces of random moods as (count, side, side, 1) and their one-hot moods."""
    moods = rng.integers(0, len(MOODS), count)
    faces = np.array([draw_face(MOODS[mood], rng) for mood in moods])
    return faces.astype("float32")[..., None], keras.utils.to_categorical(moods, len(MOODS))


def build_model():
    """Convolution, pooling and a dense head with one output per mood."""
    model = keras.Sequential(
        [
            keras.Input(shape=(SIDE, SIDE, 1)),
            layers.Conv2D(8, 3, activation="relu"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(32, activation="relu"),
            layers.Dense(len(MOODS)),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.SGD(learning_rate=0.05, momentum=0.9),
        loss=keras.losses.CategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def train(seed=0, epochs=5):
    """Trains on 400 drawings; returns the model."""
    keras.utils.set_random_seed(seed)
    faces, moods = make_faces(400, np.random.default_rng(seed))
    model = build_model()
    model.fit(faces, moods, batch_size=32, epochs=epochs, verbose=0)
    return model


def moods_of(model, faces):
    """The probability of each mood, one row per face."""
    return model.predict(faces, verbose=0)


def main():
    model = train()
    faces, moods = make_faces(5, np.random.default_rng(50_000))
    for row, truth in zip(moods_of(model, faces), moods):
        guess = row.argmax()
        confidence = 100.0 * row[guess]
        print("%s: %.1f %% (drawn as %s)" % (MOODS[guess], confidence, MOODS[truth.argmax()]))


if __name__ == "__main__":
    main()
