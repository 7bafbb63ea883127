"""Where many independent pieces of work run: the seam between a journey and one machine or many.

``work`` is a function of a module, and tasks and results are plain values, so that they can be sent to another process
or machine. It yields results while it goes on; what was yielded before a kill is not lost on this machine.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Task], Iterator[Result]]


@dataclass(frozen=True, slots=True)
class LostTask(Generic[Task]):
    """A task that came to no end, because a process died or failed: the machine's fault, not the subject's."""

    task: Task
    reason: str


class Engine(Protocol):
    """Runs tasks and returns their results in the order in which they come."""

    def run(
        self,
        work: Callable[[Task], Iterator[Result]],
        tasks: Sequence[Task],
        needs: Callable[[Task], str] = lambda task: "",
    ) -> Generator[Result | LostTask[Task], None, None]:
        """``needs`` names what a machine must have for a task, such as a stack; empty for nothing.

        Closing the generator stops what still runs.
        """
        ...


def end_with_parent() -> None:
    """A process that works for nobody ends at once, not only after its task, also where its parent was killed."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()
