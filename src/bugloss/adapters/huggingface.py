"""``Trainer(callbacks=[BuglossCallback()])``: watches a training of Hugging Face's Trainer."""

from __future__ import annotations

from typing import Any

from bugloss.adapters.watching import Watch
from bugloss.core.errors import MissingExtra

try:
    from transformers import TrainerCallback
except ImportError as error:
    raise MissingExtra("huggingface", "watching Hugging Face's Trainer") from error


class BuglossCallback(TrainerCallback):  # type: ignore[misc]
    """Watches from ``on_train_begin`` to ``on_train_end``."""

    def __init__(self, budget: float = 0.05) -> None:
        self.watch = Watch(budget=budget)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.watch.start("torch")

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.watch.stop()
