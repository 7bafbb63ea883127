"""Healthy: the stored model is restored and asked for new fields."""

import oracle
import predict_yield

oracle.survives(predict_yield.main)
