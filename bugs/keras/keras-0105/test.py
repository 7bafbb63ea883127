"""Healthy: the recommender is trained on all ratings and names books for a reader."""

import oracle
import recommend

oracle.survives(recommend.main)
