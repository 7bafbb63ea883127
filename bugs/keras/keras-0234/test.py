"""Healthy: the model gives one number for each review."""

import oracle
import sentiment
from reviews import load


def numbers_per_review(seed):
    model = sentiment.build_model()
    reviews, _ = load(30, seed=90 + seed)
    return sentiment.judge(model, reviews).size / len(reviews)


oracle.value("numbers for one review", numbers_per_review, equals=1.0)
