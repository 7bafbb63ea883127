"""``Trainer(callbacks=[BuglossCallback()])``: watches a training of Hugging Face's Trainer."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from bugloss.adapters.watching import Watch
from bugloss.core.errors import MissingExtra

try:
    from transformers import Trainer, TrainerCallback
except ImportError as error:
    raise MissingExtra("huggingface", "observing the Trainer of Hugging Face") from error


def _telling(train: Callable[..., Any]) -> Callable[..., Any]:
    """Callbacks are not called for an exception that ends a training; our ``Trainer.train`` reports it and raises
    it."""

    @functools.wraps(train)
    def telling(trainer: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return train(trainer, *arguments, **named)
        except BaseException as error:
            for callback in trainer.callback_handler.callbacks:
                if isinstance(callback, BuglossCallback):
                    callback.watch.stop(error)
            raise

    return telling


Trainer.train = _telling(Trainer.train)


class BuglossCallback(TrainerCallback):  # type: ignore[misc]
    """Watches from ``on_train_begin`` to ``on_train_end``, or to the exception that ends the training."""

    def __init__(self, budget: float = 0.05) -> None:
        self.watch = Watch(budget=budget)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.watch.start("torch").introduce(kwargs.get("model"), kwargs.get("optimizer"))

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.watch.stop()
