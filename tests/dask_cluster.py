"""A dask scheduler with workers, in processes that a test may kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

TESTS = Path(__file__).parent


class Cluster:
    """A scheduler, and workers that name what they have."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        words = ("scheduler", "--scheduler-file", str(self.file), "--port", "0", "--no-dashboard")
        self._start(words)
        deadline = time.monotonic() + 20
        while not self.file.is_file() or not self.file.read_text().strip():
            assert time.monotonic() < deadline, "the scheduler does not start"
            time.sleep(0.05)

    @property
    def address(self) -> str:
        return str(json.loads(self.file.read_text())["address"])

    def add_worker(self, resources: str = "") -> subprocess.Popen[bytes]:
        """Without a nanny, which would start a killed worker again."""
        named = ("--resources", resources) if resources else ()
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder))
        return self._start(("worker", "--scheduler-file", str(self.file), *words, *named))

    def _start(self, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(filter(None, (str(TESTS), os.environ.get("PYTHONPATH"))))
        variables = {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "ignore"}
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words], env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.processes.append(process)
        return process

    def stop(self) -> None:
        self.stop_workers()
        self.processes[0].kill()
        self.processes[0].wait()

    def stop_workers(self) -> None:
        """Ends them, and waits until the scheduler knows."""
        for process in self.processes[1:]:
            process.kill()
            process.wait()
        del self.processes[1:]
        self.wait_for_workers(0)

    def wait_for_workers(self, count: int) -> None:
        import distributed

        with distributed.Client(self.address) as client:
            deadline = time.monotonic() + 20
            while len(client.scheduler_info()["workers"]) != count:
                assert time.monotonic() < deadline, f"there are not {count} workers"
                time.sleep(0.05)
