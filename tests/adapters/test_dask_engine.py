"""A real dask scheduler and two worker processes: one is killed half-way, and nothing is lost or counted twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import CommandLine
from spawned_work import doubled, slow
from tiny_corpus import TinyCorpus

from bugloss.adapters.dask_engine import DaskEngine
from bugloss.core.engine import LostTask
from bugloss.core.errors import EnvironmentFailure
from bugloss.workflows.engine.local import LocalEngine

pytestmark = pytest.mark.dask
TESTS = Path(__file__).parents[1]
PROGRAM = 'def run():\n    return [1, 2, 3][{}]\n\n\nif __name__ == "__main__":\n    run()\n'
SIDES = {"buggy/program.py": PROGRAM.format(3), "fixed/program.py": PROGRAM.format(2)}


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
        variables = {**os.environ, "PYTHONPATH": str(TESTS), "PYTHONWARNINGS": "ignore"}
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
        _wait_for_workers(self, 0)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("dask"))
    yield made
    made.stop()


@pytest.fixture
def cluster(scheduler: Cluster) -> Iterator[Cluster]:
    """The scheduler with workers of the test's own."""
    yield scheduler
    scheduler.stop_workers()


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_loses_nothing_and_repeats_nothing(cluster: Cluster) -> None:
    workers = [cluster.add_worker(), cluster.add_worker()]
    numbers = list(range(14))
    found: list[tuple[int, int]] = []
    for result in _engine(cluster).run(slow, numbers):
        assert not isinstance(result, LostTask), result
        found.append(result)
        if len({process for _, process in found}) == 2 and len(found) >= 5 and workers[0].poll() is None:
            os.kill(workers[0].pid, signal.SIGKILL)
            workers[0].wait()
    assert sorted(number for number, _ in found) == numbers
    assert workers[0].returncode == -signal.SIGKILL


@pytest.mark.filterwarnings("ignore")
def test_a_stack_is_a_resource_of_a_worker(cluster: Cluster) -> None:
    torch, keras = cluster.add_worker("stack-torch=1"), cluster.add_worker("stack-keras3=1")
    _wait_for_workers(cluster, 2)
    needs = {1: "torch", 2: "keras3", 3: "torch", 4: "tf2"}
    results = list(_engine(cluster).run(slow, list(needs), needs.__getitem__))
    where = dict(one for one in results if not isinstance(one, LostTask))
    assert where == {1: torch.pid, 2: keras.pid, 3: torch.pid}
    (lost,) = [one for one in results if isinstance(one, LostTask)]
    assert lost.reason == "no worker has the stack tf2; they have keras3, torch"


def _engine(cluster: Cluster) -> DaskEngine:
    return DaskEngine(scheduler=cluster.address)


def _wait_for_workers(cluster: Cluster, count: int) -> None:
    import distributed

    with distributed.Client(cluster.address) as client:
        deadline = time.monotonic() + 20
        while len(client.scheduler_info()["workers"]) != count:
            assert time.monotonic() < deadline, f"there are not {count} workers"
            time.sleep(0.05)


@pytest.mark.filterwarnings("ignore")
def test_an_evaluation_on_a_cluster_has_the_same_matrix(cluster: Cluster, cli: CommandLine, tiny: TinyCorpus) -> None:
    for number in (1, 2):
        tiny.add(f"torch-000{number}", files=SIDES)
    cluster.add_worker()
    words = ("evaluate", "detect", "--tools", "check,exit-code", "--json")
    here = cli(*words, "-o", "here")
    there = cli(*words, "-o", "there", *_engine_words(cluster))
    assert (here.code, there.code) == (0, 0), there.err
    verified = [cli("verify", "--runs", "1", "--json", *words) for words in ((), _engine_words(cluster))]
    assert [done.code for done in verified] == [0, 0], verified[1].err
    assert [_verdicts(done.document) for done in verified] == [["1/1 fail 1/1 pass active"] * 2] * 2
    results = [sorted(map(str, engine.run(doubled, range(6)))) for engine in (LocalEngine(2), _engine(cluster))]
    assert results[0] == results[1]
    assert [_plain(row) for row in here.document["matrix"]] == [_plain(row) for row in there.document["matrix"]]


def _engine_words(cluster: Cluster) -> tuple[str, ...]:
    return "--engine", "dask", "--scheduler", cluster.address


def _verdicts(document: dict[str, list[dict[str, str]]]) -> list[str]:
    return [f"{bug['buggy']} {bug['fixed']} {bug['status']}" for bug in document["bugs"]]


def _plain(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name != "seconds"}


def test_an_address_where_nobody_answers_is_an_error_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bugloss.adapters.dask_engine._SECONDS_TO_CONNECT", 1)
    with pytest.raises(EnvironmentFailure, match="no dask scheduler answers"):
        list(DaskEngine(scheduler="tcp://127.0.0.1:9").run(doubled, [1]))
