"""What to train and how to choose the checkpoint."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TrainingConfig:
    epochs: int = 12
    batch_size: int = 40
    learning_rate: float = 0.01
    early_stopping_metric: str = "eval_metric"  # or "loss"
    eval_metric: str = "sequence_accuracy"
