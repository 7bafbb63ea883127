"""The callbacks under their newer name."""

from wandb.keras import WandbCallback, WandbEvalCallback, WandbMetricsLogger, WandbModelCheckpoint

__all__ = ["WandbCallback", "WandbEvalCallback", "WandbMetricsLogger", "WandbModelCheckpoint"]
