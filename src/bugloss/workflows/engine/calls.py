"""Single calls on other machines: how a server gives its jobs to workers, and what it knows of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

Result = TypeVar("Result")
Given = TypeVar("Given", covariant=True)


class RemoteCall(Protocol[Given]):
    """A call that runs on a worker."""

    def wait(self, seconds: float) -> bool:
        """Whether it has ended, after that time at the latest."""
        ...

    def new_lines(self) -> list[str]:
        """What it said since the last time."""
        ...

    def result(self) -> Given:
        """What it returned, once it has ended; an error of ours where its worker was lost."""
        ...

    def end(self) -> None:
        """Takes it back."""
        ...


class RemoteCalls(Protocol):
    """Workers that take calls."""

    def start(self, work: Callable[..., Result], *given: object) -> RemoteCall[Result]:
        """``work(say, is_wanted, *given)`` on some worker."""
        ...

    def close(self) -> None:
        """Ends the connection; calls that still run are not wanted any more."""
        ...


def connect_workers(jobs: int, scheduler: str | None = None) -> RemoteCalls:
    """The workers of a dask scheduler; without an address, so many processes of this machine."""
    from bugloss.adapters.dask_calls import DaskCalls

    return DaskCalls(jobs, scheduler)
