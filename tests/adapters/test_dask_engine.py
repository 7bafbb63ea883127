"""A real dask scheduler and two worker processes: one is killed half-way, and nothing is lost or counted twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import CommandLine
from dask_cluster import Cluster
from spawned_work import doubled, slow
from tiny_corpus import TinyCorpus
from tiny_repository import TinyRepository

from bugloss.adapters.dask_engine import DaskEngine
from bugloss.core.engine import LostTask
from bugloss.core.errors import EnvironmentFailure
from bugloss.workflows.engine.local import LocalEngine
from bugloss.workflows.mining import mine_repositories

pytestmark = pytest.mark.dask
PROGRAM = 'def run():\n    return [1, 2, 3][{}]\n\n\nif __name__ == "__main__":\n    run()\n'
SIDES = {"buggy/program.py": PROGRAM.format(3), "fixed/program.py": PROGRAM.format(2)}


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
    cluster.wait_for_workers(2)
    needs = {1: "torch", 2: "keras3", 3: "torch", 4: "tf2"}
    results = list(_engine(cluster).run(slow, list(needs), needs.__getitem__))
    where = dict(one for one in results if not isinstance(one, LostTask))
    assert where == {1: torch.pid, 2: keras.pid, 3: torch.pid}
    (lost,) = [one for one in results if isinstance(one, LostTask)]
    assert lost.reason == "no worker has the stack tf2; they have keras3, torch"


def _engine(cluster: Cluster) -> DaskEngine:
    return DaskEngine(scheduler=cluster.address)


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


@pytest.mark.filterwarnings("ignore")
def test_a_history_is_mined_to_its_end_when_a_worker_is_killed(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = TinyRepository.at(tmp_path / "project")
    for number in range(16):
        loss = ("NLLLoss", "CrossEntropyLoss")[number % 2]
        repository.commit({"train.py": f"from torch import nn\nloss = nn.{loss}()\n"}, f"Fix loss, closes #{number}")
    monkeypatch.setattr("bugloss.workflows.mining._PART", 1)
    workers = [cluster.add_worker(), cluster.add_worker()]
    cluster.wait_for_workers(2)
    heard: list[str] = []

    def kill_one(said: str) -> None:
        heard.append(said)
        if len(heard) == 4:
            os.kill(workers[0].pid, signal.SIGKILL)
            workers[0].wait()

    here = mine_repositories([repository.folder], lambda text: None)
    there = mine_repositories([repository.folder], kill_one, engine=_engine(cluster))
    assert len(heard) == 16
    assert [replace(one, seconds=0) for one in there] == [replace(one, seconds=0) for one in here]
    assert len(here[0].candidates) == 15
    assert workers[0].returncode == -signal.SIGKILL
