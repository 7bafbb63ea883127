"""Healthy: estimates for ratings that were not trained on are much better than the mean rating."""

import oracle
import recommend_recipes


def share_left(seed):
    model, _, others = recommend_recipes.train(seed, epochs=8)
    return recommend_recipes.error(model, others) / others[2].var()


oracle.symptom("error divided by the variance of the stars", share_left, at_most=0.5, seeds=5)
