"""Recognises four tiles of a mosaic from few photographs of each.

The pattern of a tile repeats, so a photograph may begin anywhere in it. Only 40 photographs are
there to learn from; an epoch shows them several times, each time moved by some pixels.
"""

import keras
import numpy as np
from keras import layers

SIZE = 8
TILES = {
    "ring": ("11111000", "10001000", "10001000", "10001000", "11111000", "", "", ""),
    "block": ("11110000", "11110000", "11110000", "11110000", "", "", "", ""),
    "cross": ("00010000", "00010000", "00010000", "11111110", "00010000", "00010000", "", ""),
    "band": ("11000000", "01100000", "00110000", "00011000", "00001100", "00000110", "00000011"),
}


def pattern(rows):
    """Rows of dots as a square of zeros and ones."""
    dots = [[int(dot) for dot in row.ljust(SIZE, "0")] for row in rows]
    return np.array(dots + (SIZE - len(dots)) * [SIZE * [0]])


def photograph(count, rng):
    """Pictures of 8 x 8 pixels that begin anywhere in the pattern, and the numbers of the tiles."""
    kinds = rng.permutation(np.arange(count) % len(TILES))
    patterns = [pattern(rows) for rows in TILES.values()]
    moves = rng.integers(SIZE, size=(count, 2))
    pictures = np.stack([np.roll(patterns[k], move, (0, 1)) for k, move in zip(kinds, moves)])
    pictures = 2.0 * pictures - 1.0 + rng.normal(0.0, 0.35, size=pictures.shape)
    return pictures[..., None].astype("float32"), kinds


class MovedPhotographs(keras.utils.PyDataset):
    """Batches of photographs for training, each moved at random in both directions."""

    def __init__(self, pictures, kinds, batch_size, repeats, seed):
        super().__init__()
        self.pictures, self.kinds = pictures, kinds
        self.batch_size, self.repeats = batch_size, repeats
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return self.repeats * len(self.kinds) // self.batch_size

    def __getitem__(self, index):
        chosen = self.rng.choice(len(self.kinds), self.batch_size, replace=False)
        batch = self.pictures[chosen]
        moved = np.stack([self.move(picture) for picture in batch])
        return moved, self.kinds[chosen]

    def move(self, picture):
        return np.roll(picture, self.rng.integers(SIZE, size=2), axis=(0, 1))


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(SIZE, SIZE, 1)),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
            layers.Dense(32, activation="relu"),
            layers.Dense(len(TILES), activation="softmax"),
        ]
    )
    optimizer = keras.optimizers.Adam(learning_rate=0.003)
    model.compile(optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def train(seed=0, epochs=10, verbose=0):
    """Returns the history of the training, with the validation after every epoch."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    batches = MovedPhotographs(*photograph(40, rng), batch_size=20, repeats=20, seed=seed)
    validation = photograph(200, rng)
    return build_model().fit(batches, epochs=epochs, validation_data=validation, verbose=verbose)


if __name__ == "__main__":
    history = train(verbose=2).history
    print("training accuracy %.3f" % history["accuracy"][-1])
    print("validation accuracy %.3f" % history["val_accuracy"][-1])
