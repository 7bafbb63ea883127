"""Single calls on the workers of a dask cluster: each says how far it is while it runs, and can be ended.

A worker asks its own state whether a call is still wanted: the scheduler takes it back when the call is cancelled, and
also when the process that asked for it is gone, however that happened.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

from bugloss.adapters.dask_engine import connected, distributed_module
from bugloss.core.errors import EnvironmentFailure
from bugloss.core.failure_text import in_one_line

Result = TypeVar("Result")
Say = Callable[[Sequence[str]], None]
IsWanted = Callable[[], bool]
_WANTED = frozenset({"executing", "long-running"})  # states of a task; any other means that it was taken back


class CallLost(EnvironmentFailure):
    """A call that ended without a result: its workers died, or it raised."""

    kind = "worker-lost"


class DaskCalls:
    """The cluster at an address; without one, so many worker processes on this machine."""

    def __init__(self, jobs: int, scheduler: str | None = None) -> None:
        distributed = distributed_module()
        self._cluster: Any = None
        if scheduler:
            self._client = connected(distributed, scheduler)
        else:
            self._cluster = distributed.LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None)
            self._client = distributed.Client(self._cluster)

    def start(self, work: Callable[..., Result], *given: object) -> DaskCall[Result]:
        """``work(say, is_wanted, *given)`` on some worker; both functions are made there."""
        return DaskCall(self._client, work, given)

    def close(self) -> None:
        """Ends the connection; calls that still run are not wanted any more."""
        with suppress(OSError, TimeoutError):
            self._client.close()
            if self._cluster is not None:
                self._cluster.close()


class DaskCall(Generic[Result]):
    """One call: what it said so far, and its result."""

    def __init__(self, client: Any, work: Callable[..., Result], given: Sequence[object]) -> None:
        self._client = client
        self._topic = f"bugloss-{uuid.uuid4().hex}"
        self._lines: list[str] = []
        client.subscribe_topic(self._topic, self._hear)
        self._future = client.submit(_work, work, self._topic, tuple(given), pure=False, retries=0, key=self._topic)

    def _hear(self, event: tuple[float, Any]) -> None:
        self._lines += [str(line) for line in event[1]]

    def wait(self, seconds: float) -> bool:
        """Whether it has ended, after that time at the latest."""
        from concurrent.futures import TimeoutError as FutureTimeout

        distributed = distributed_module()
        with suppress(TimeoutError, FutureTimeout):
            distributed.wait(self._future, timeout=seconds)
            return True
        return bool(self._future.done())

    def new_lines(self) -> list[str]:
        """What it said since the last time."""
        lines, self._lines = self._lines, []
        return lines

    def result(self) -> Result:
        """What it returned, once it has ended."""
        try:
            found: Result = self._future.result()
        except Exception as error:  # whatever dask or the work raised
            hint = "Look at the logs of the dask workers."
            raise CallLost(f"the job ended on its worker without a result: {in_one_line(error)}.", hint=hint) from error
        return found

    def end(self) -> None:
        """Takes the call back, and hears nothing more of it."""
        with suppress(Exception):  # the scheduler may be gone, and then there is nothing to take back
            self._future.cancel(force=True)
            self._client.unsubscribe_topic(self._topic)


def _work(work: Callable[..., Result], topic: str, given: tuple[object, ...]) -> Result:
    """Runs on a worker."""
    worker = distributed_module().get_worker()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(topic)
        return task is not None and task.state in _WANTED

    return work(lambda lines: worker.log_event(topic, list(lines)), is_wanted, *given)
