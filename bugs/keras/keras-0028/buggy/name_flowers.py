"""Names the species of flowers from four measurements of sepals and petals.

The flowers are drawn around the mean measurements of three kinds of iris, a hundred of each. Half
of them is used to train a small network, the other half to test it.
"""

import keras
import numpy as np
from keras import layers

SPECIES = ("setosa", "versicolor", "virginica")
MEANS = np.array([[5.0, 3.4, 1.5, 0.2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.6, 2.0]])
SPREAD = np.array([0.5, 0.35, 0.5, 0.28])


def pick_flowers(rng, each=100):
    """Measurements in centimetres and the species, in random order."""
    species = rng.permutation(np.repeat(np.arange(len(SPECIES)), each))
    return MEANS[species] + SPREAD * rng.normal(size=(len(species), 4)), species


def standardise(table, reference):
    return ((table - reference.mean(axis=0)) / reference.std(axis=0)).astype("float32")


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(4,)),
            layers.Dense(16, activation="sigmoid"),
            layers.Dense(len(SPECIES), activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.005),
        loss="categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def train(seed=0, epochs=3, verbose=0):
    """Returns the model, its history, and the flowers kept for the test."""
    keras.utils.set_random_seed(seed)
    flowers, species = pick_flowers(np.random.default_rng(seed))
    train_x, test_x = flowers[:150], flowers[150:]
    one_hot = keras.utils.to_categorical(species, len(SPECIES))
    model = build_model()
    history = model.fit(
        standardise(train_x, train_x),
        one_hot[:150],
        batch_size=10,
        epochs=epochs,
        verbose=verbose,
    )
    return model, history.history, (standardise(test_x, train_x), species[150:])


def examine(model, test):
    """Accuracy and cross-entropy on flowers that were not trained on."""
    flowers, species = test
    chances = np.asarray(model(flowers))
    right = chances[np.arange(len(species)), species]
    return float((chances.argmax(axis=1) == species).mean()), float(-np.log(right).mean())


def main():
    model, _, test = train(verbose=2)
    print("test flowers: accuracy %.2f, cross-entropy %.3f" % examine(model, test))


if __name__ == "__main__":
    main()
