"""Healthy: five epochs over the table."""

import oracle
import predict_yield

oracle.survives(predict_yield.train)
