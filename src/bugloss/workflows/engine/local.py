"""Work in processes of this machine. One that dies is replaced, and its task is given to another one once."""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from multiprocessing import connection, get_context
from multiprocessing.context import SpawnProcess
from typing import Any

from bugloss.core.engine import LostTask, Result, Task, end_with_parent
from bugloss.core.failure_text import in_one_line

_ATTEMPTS = 2  # a task that killed two processes would kill a third
_RESULT, _DONE, _FAILED = "result", "done", "failed"


class LocalEngine:
    """So many processes; results arrive one by one, also those of a task that is not done yet."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = max(jobs, 1)

    def run(
        self,
        work: Callable[[Task], Iterator[Result]],
        tasks: Sequence[Task],
        needs: Callable[[Task], str] = lambda task: "",
    ) -> Generator[Result | LostTask[Task], None, None]:
        """What this machine lacks, a task finds out itself: nothing is done about ``needs``."""
        waiting, attempts = deque(enumerate(tasks)), Counter[int]()
        crew: dict[connection.Connection, _Worker] = {}
        try:
            while waiting or crew:
                while waiting and len(crew) < self.jobs:
                    worker = _Worker(work)
                    crew[worker.pipe] = worker
                    worker.give(*waiting.popleft())
                for pipe in connection.wait(list(crew)):
                    worker = crew[pipe]  # type: ignore[index] # connection.wait returns what it was given
                    word, value = worker.hear()
                    if word == _RESULT:
                        yield value
                        continue
                    number = worker.number
                    if word == _FAILED and value is None:  # the process is gone
                        del crew[worker.pipe]
                        worker.end()
                        attempts[number] += 1
                        if attempts[number] < _ATTEMPTS:
                            waiting.appendleft((number, tasks[number]))
                        else:
                            yield LostTask(tasks[number], "its process was killed")
                        continue
                    if word == _FAILED:
                        yield LostTask(tasks[number], value)
                    if waiting:
                        worker.give(*waiting.popleft())
                    else:
                        del crew[worker.pipe]
                        worker.end()
        finally:
            for worker in crew.values():
                worker.end()


class _Worker:
    """One process and the task that it works on."""

    def __init__(self, work: Callable[[Any], Iterator[Any]]) -> None:
        # Not forked: a copy of a process with threads can hang on a lock that one of them held.
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_serve, args=(theirs, work))
        self.process.start()
        theirs.close()
        self.number = -1

    def give(self, number: int, task: object) -> None:
        self.number = number
        with suppress(OSError):  # a process that is gone says so when it is heard
            self.pipe.send(task)

    def hear(self) -> tuple[str, Any]:
        try:
            word, value = self.pipe.recv()
            return str(word), value
        except (EOFError, OSError):
            return _FAILED, None

    def end(self) -> None:
        """Programs that it runs end with it, as the sandbox promises."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _serve(pipe: connection.Connection, work: Callable[[Any], Iterator[Any]]) -> None:
    """The life of a process: tasks in, results out, until nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair, which ends this process
    end_with_parent()
    with suppress(EOFError, OSError):
        while True:
            task = pipe.recv()
            try:
                for result in work(task):
                    pipe.send((_RESULT, result))
            except Exception as error:
                pipe.send((_FAILED, in_one_line(error)))
            else:
                pipe.send((_DONE, None))
