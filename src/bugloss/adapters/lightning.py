"""``Trainer(callbacks=[BuglossCallback()])``: watches a Lightning training."""

from __future__ import annotations

from typing import Any

from bugloss.adapters.watching import Watch
from bugloss.core.errors import MissingExtra

try:
    from lightning.pytorch.callbacks import Callback
except ImportError:
    try:
        from pytorch_lightning.callbacks import Callback
    except ImportError as error:
        raise MissingExtra("lightning", "observing a Lightning training") from error


class BuglossCallback(Callback):  # type: ignore[misc]
    """Watches ``fit`` from its preparation to its end, however it ends; what is only tested or validated is not."""

    def __init__(self, budget: float = 0.05) -> None:
        self.watch = Watch(budget=budget)

    def setup(self, trainer: Any, pl_module: Any, stage: str) -> None:
        # Before the optimizers are made, so that their lines are known.
        if stage == "fit":
            self.watch.start("torch").introduce(pl_module)

    def on_fit_end(self, trainer: Any, pl_module: Any) -> None:
        self.watch.stop()

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        self.watch.stop(exception)
