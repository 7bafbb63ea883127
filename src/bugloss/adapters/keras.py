"""``model.fit(…, callbacks=[BuglossCallback()])``: watches a Keras training.

``model.fit`` is looked up before its arguments are made, so a callback that is made among them comes too late to see
the call itself: it then follows the training hook by hook, without the data given to ``fit``. Made on a line of
its own, it sees those as well; ``watch.stop()`` then ends the record.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from bugloss.adapters.watching import Watch
from bugloss.core.errors import MissingExtra
from bugloss.probes.observe.keras import fit

try:
    _keras: Any = sys.modules.get("keras") or sys.modules.get("tensorflow.keras") or import_module("keras")
except ImportError as error:
    raise MissingExtra("keras", "observing a Keras training") from error


class BuglossCallback(_keras.callbacks.Callback):  # type: ignore[misc]
    """Watches one ``fit`` from its first step to its end."""

    def __init__(self, budget: float = 0.05) -> None:
        super().__init__()
        self.watch = Watch(budget=budget).start("keras")
        self._training: Any = None
        self._fitting = ExitStack()

    def set_model(self, model: Any) -> None:
        super().set_model(model)
        probe = self.watch.probe
        if probe is not None and self._training is None and not probe.depth:
            edition = next(one for one in probe.editions if any(isinstance(model, kind) for kind in one.models))
            self._training = fit.SeenTraining(probe.subject_of(edition, model))

    def on_train_begin(self, logs: Any = None) -> None:
        if self._training is not None:
            # The steps of fit are told here; what watches hand-written loops must not count them again.
            self._fitting.enter_context(self.watch.probe.inside())
        self._hand_on("on_train_begin", logs)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._hand_on("on_epoch_begin", epoch, logs)

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        self._hand_on("batch_begin", batch)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self._hand_on("batch_end", batch, logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._hand_on("on_epoch_end", epoch, logs)

    def on_train_end(self, logs: Any = None) -> None:
        self._hand_on("on_train_end", logs)
        self._fitting.close()
        if self._training is not None:
            self.watch.stop()

    def _hand_on(self, hook: str, *arguments: Any) -> None:
        if self._training is not None:
            getattr(self._training, hook)(*arguments)
