"""Layers that vary the signs during training; they pass images on unchanged otherwise."""

from keras import Sequential, layers


def build_augmentation(seed=5):
    return Sequential(
        [
            layers.RandomTranslation(0.08, 0.08, fill_mode="constant", seed=seed),
            layers.RandomFlip("horizontal", seed=seed + 1),
            layers.RandomContrast(0.2, seed=seed + 2),
        ],
        name="augmentation",
    )
