"""Names the species of flowers from four measurements of sepals and petals.

The flowers are drawn around the mean measurements of three species, fifty of each, as in Fisher's
famous table. Half of them is used to train a small network, the other half to test it.
"""

import keras
import numpy as np
from keras import layers

SPECIES = ("setosa", "versicolor", "virginica")
MEANS = np.array([[5.0, 3.4, 1.5, 0.2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.6, 2.0]])
SPREAD = np.array([0.4, 0.3, 0.4, 0.22])


def pick_flowers(rng, each=50):
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


def train(seed=0, epochs=40, verbose=0):
    """Returns the model, its history, and the flowers kept for the test."""
    keras.utils.set_random_seed(seed)
    flowers, species = pick_flowers(np.random.default_rng(seed))
    train_x, test_x = flowers[:75], flowers[75:]
    one_hot = keras.utils.to_categorical(species, len(SPECIES))
    model = build_model()
    history = model.fit(
        standardise(train_x, train_x),
        one_hot[:75],
        batch_size=5,
        epochs=epochs,
        verbose=verbose,
    )
    return model, history.history, (standardise(test_x, train_x), species[75:])


def accuracy(model, test):
    flowers, species = test
    named = np.asarray(model(flowers)).argmax(axis=1)
    return float((named == species).mean())


def main():
    model, _, test = train(verbose=2)
    print("accuracy on the test flowers: %.2f" % accuracy(model, test))


if __name__ == "__main__":
    main()
