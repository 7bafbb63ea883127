"""Healthy: yields of other fields are predicted about as well as their noise allows."""

import fields
import oracle
import predict_yield


def mean_squared_error(seed):
    errors = []
    for farm in range(3):
        model = predict_yield.train(3 * seed + farm)
        measured, yields, _ = fields.survey(1000, 3 * seed + farm + 6000)
        errors.append(predict_yield.error(model, measured, yields))
    return sum(errors) / 3


oracle.value("mean squared error of three trainings", mean_squared_error, at_most=1.38)
