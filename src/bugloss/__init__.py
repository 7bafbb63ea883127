"""bugloss: from a deep-learning bug's complaint to a verified repair.

``import bugloss`` is cheap: each room loads on first use, so ``bugloss.corpus.load()`` works after a
plain ``import bugloss`` and nothing heavy is imported before it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bugloss.workflows.watching import watch as watch

__version__ = "0.1.0"

__all__ = ["__version__", "core", "corpus", "observe", "record", "run", "verify", "watch", "workflows"]


def __getattr__(name: str) -> Any:
    if name == "watch":
        return import_module("bugloss.workflows.watching").watch
    if name in __all__:
        return import_module(f"bugloss.{name}")
    raise AttributeError(f"module 'bugloss' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
