"""Which engine a command uses."""

from __future__ import annotations

from bugloss.core.engine import Engine
from bugloss.core.errors import InvalidInput
from bugloss.workflows.engine.local import LocalEngine

LOCAL, DASK = "local", "dask"


def choose_engine(name: str, jobs: int, scheduler: str | None = None) -> Engine:
    """The engine of that name; ``scheduler`` is the address of a dask scheduler that runs already."""
    if name == LOCAL:
        if scheduler:
            raise InvalidInput("--scheduler is an address of dask.", hint="Add --engine dask.")
        return LocalEngine(jobs)
    if name == DASK:
        from bugloss.adapters.dask_engine import DaskEngine

        return DaskEngine(jobs, scheduler)
    raise InvalidInput(f"there is no engine '{name}'.", hint=f"Known: {LOCAL}, {DASK}.")


def choose_other_machines(name: str, jobs: int, scheduler: str | None = None) -> Engine | None:
    """The engine, or None for this machine: for work that has its own way of running here."""
    chosen = choose_engine(name, jobs, scheduler)
    return None if name == LOCAL else chosen
