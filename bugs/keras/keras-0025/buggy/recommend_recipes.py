"""Learns which recipes people like, from stars that they have given to some of them.

People and recipes are turned into vectors of eight numbers; the estimate of a rating is the dot
product of the two vectors plus a bias for the recipe. Stars are centred around zero.
"""

import keras
import numpy as np
from keras import layers, ops

PEOPLE, RECIPES = 60, 40
LEARNING_RATE = 1e-7


def collect_ratings(count, rng):
    """Pairs of (person, recipe) and the centred stars, from tastes of two dimensions."""
    tastes = rng.normal(size=(PEOPLE, 2))
    flavours = rng.normal(size=(RECIPES, 2))
    people = rng.integers(PEOPLE, size=count)
    recipes = rng.integers(RECIPES, size=count)
    stars = (tastes[people] * flavours[recipes]).sum(axis=1) / 1.4
    return people, recipes, (stars + rng.normal(0.0, 0.2, size=count)).astype("float32")


class Recommender(keras.Model):
    """Matrix factorisation with embeddings for people and recipes."""

    def __init__(self, dimensions=8):
        super().__init__()
        self.people = layers.Embedding(PEOPLE, dimensions)
        self.recipes = layers.Embedding(RECIPES, dimensions)
        self.bias = layers.Embedding(RECIPES, 1)

    def call(self, inputs):
        people, recipes = inputs
        match = ops.sum(self.people(people) * self.recipes(recipes), axis=-1, keepdims=True)
        return match + self.bias(recipes)


def train(seed=0, epochs=10, verbose=0):
    """Trains on 2400 ratings; returns the model, its history, and 600 other ratings."""
    keras.utils.set_random_seed(seed)
    people, recipes, stars = collect_ratings(3000, np.random.default_rng(seed))
    model = Recommender()
    model.compile(optimizer=keras.optimizers.Adam(LEARNING_RATE), loss="mse")
    history = model.fit(
        (people[:2400], recipes[:2400]),
        stars[:2400],
        batch_size=60,
        epochs=epochs,
        verbose=verbose,
    )
    return model, history.history["loss"], (people[2400:], recipes[2400:], stars[2400:])


def error(model, ratings):
    """Mean squared error of the estimates for ratings that were not trained on."""
    people, recipes, stars = ratings
    estimates = np.asarray(model((people, recipes)))[:, 0]
    return float(np.mean((estimates - stars) ** 2))


if __name__ == "__main__":
    model, losses, others = train(verbose=2)
    print("error on other ratings %.4f" % error(model, others))
    print("error of the plain mean %.4f" % others[2].var())
    print("first recipe:", np.asarray(model.recipes.embeddings)[0].round(4))
