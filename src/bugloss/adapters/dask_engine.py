"""Work on the workers of a dask cluster: the engine of ``core/engine.py`` on ``dask.distributed``.

A stack is a resource of a worker: where workers name resources such as ``stack-torch``, a task goes only to a worker
that has its stack. Where no worker names any, every worker takes every task and builds the stacks that it lacks. A task
whose worker dies is given to another worker by the scheduler; its results arrive once, because they are returned when
it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bugloss.core.engine import LostTask, Result, Task
from bugloss.core.errors import EnvironmentFailure, MissingExtra
from bugloss.core.failure_text import in_one_line

RESOURCE = "stack-"
_SECONDS_TO_CONNECT = 15


class DaskEngine:
    """The cluster at an address; without one, so many worker processes on this machine."""

    def __init__(self, jobs: int = 1, scheduler: str | None = None) -> None:
        self.jobs = max(jobs, 1)
        self.scheduler = scheduler

    def run(
        self,
        work: Callable[[Task], Iterator[Result]],
        tasks: Sequence[Task],
        needs: Callable[[Task], str] = lambda task: "",
    ) -> Generator[Result | LostTask[Task], None, None]:
        """Results in the order in which tasks end."""
        if not tasks:
            return
        distributed = distributed_module()
        with self._client(distributed) as client:
            offered = _stacks_of(client)
            waiting: dict[Any, Task] = {}
            for task in tasks:
                need = needs(task)
                if offered and need and need not in offered:
                    yield LostTask(task, f"no worker has the stack {need}; they have {', '.join(sorted(offered))}")
                    continue
                resources = {f"{RESOURCE}{need}": 1} if offered and need else None
                waiting[client.submit(_collect, work, task, pure=False, resources=resources)] = task
            for future in distributed.as_completed(list(waiting)):
                error = future.exception()
                if error is None:
                    yield from future.result()
                else:
                    yield LostTask(waiting[future], in_one_line(error))
                future.release()

    @contextmanager
    def _client(self, distributed: Any) -> Iterator[Any]:
        """A connection that is closed afterwards; tasks that nobody waits for any more are dropped with it."""
        if self.scheduler:
            with connected(distributed, self.scheduler) as client:
                yield client
            return
        with (
            distributed.LocalCluster(n_workers=self.jobs, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client


def connected(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout=_SECONDS_TO_CONNECT)
    except (OSError, ValueError) as error:  # what dask raises for an address where nobody answers
        message = f"no dask scheduler answers at {address}: {in_one_line(error)}."
        raise EnvironmentFailure(message, hint="Start one: dask scheduler") from error


def distributed_module() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise MissingExtra("dask", "--engine dask") from error
    return distributed


def _stacks_of(client: Any) -> set[str]:
    """The stacks that the workers name as resources."""
    workers = client.scheduler_info()["workers"].values()
    names = {name for worker in workers for name in worker.get("resources", {})}
    return {name.removeprefix(RESOURCE) for name in names if name.startswith(RESOURCE)}


def _collect(work: Callable[[Task], Iterator[Result]], task: Task) -> list[Result]:
    """Runs on a worker."""
    return list(work(task))
