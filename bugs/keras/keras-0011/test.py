"""Healthy: the toxicity of harmless compounds, those below zero, is estimated closely as well."""

import oracle

import estimate_toxicity


def error_below_zero(seed):
    measured, estimated = estimate_toxicity.train(seed)
    below = measured < 0
    return ((measured[below] - estimated[below]) ** 2).mean() ** 0.5


oracle.symptom("root mean squared error below zero", error_below_zero, at_most=0.45, seeds=6)
