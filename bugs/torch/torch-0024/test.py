"""Healthy: the model explains most of the variance of the heat demand, which is 1."""

import oracle
import predict_heating

oracle.symptom("mean squared error on test buildings", predict_heating.main, at_most=0.4, seeds=6)
