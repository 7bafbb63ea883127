"""Healthy: paths of several scenes are trained on for three epochs."""

import oracle
import predict_paths

oracle.survives(predict_paths.train)
