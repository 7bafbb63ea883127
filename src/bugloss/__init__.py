"""bugloss: from the report of a deep-learning bug to a verified fix.

``import bugloss`` is cheap: each room loads on first use, so ``bugloss.corpus.load()`` works after a
plain ``import bugloss`` and nothing heavy is imported before it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bugloss.workflows.bug_trial import test as test
    from bugloss.workflows.watching import watch as watch

__version__ = "0.1.0"

__all__ = ["__version__", "core", "corpus", "observe", "record", "run", "test", "verify", "watch", "workflows"]


_FUNCTIONS = {
    "test": "bugloss.workflows.bug_trial",
    "watch": "bugloss.workflows.watching",
    "load_ipython_extension": "bugloss.show.jupyter.extension",  # %load_ext bugloss
    "unload_ipython_extension": "bugloss.show.jupyter.extension",
}


def __getattr__(name: str) -> Any:
    if name in _FUNCTIONS:
        return getattr(import_module(_FUNCTIONS[name]), name)
    if name in __all__:
        return import_module(f"bugloss.{name}")
    raise AttributeError(f"module 'bugloss' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
