"""Healthy: prices of held-out houses are estimated nearly as well as those of the training houses."""

import house_prices
import oracle


def held_out_error(seed):
    return house_prices.train(seed)["val_mae"][-1]


oracle.value("mean absolute error on held-out houses", held_out_error, at_most=0.4)
