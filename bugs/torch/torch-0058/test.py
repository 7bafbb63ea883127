"""Healthy: two epochs over 801 customers in batches of 32."""

import churn
import oracle

oracle.survives(churn.fit)
