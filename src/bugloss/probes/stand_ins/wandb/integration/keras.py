"""The callbacks under their newer name."""

import importlib

WandbCallback = importlib.import_module("wandb.keras").WandbCallback
WandbMetricsLogger = WandbModelCheckpoint = WandbEvalCallback = WandbCallback
