"""Killing servers while jobs run: no job is lost, and none is reported done that was not.

``BUGLOSS_SERVER_KILLS`` sets at how many random moments a server is killed on each database (2 where it is not set),
``BUGLOSS_KILL_SEED`` which ones.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dask_cluster import Cluster
from tiny_corpus import TinyCorpus

from bugloss.client import Client
from bugloss.core.errors import EnvironmentFailure
from bugloss.run.environment import Environment

pytestmark = pytest.mark.bubblewrap
KILLS = int(os.environ.get("BUGLOSS_SERVER_KILLS", "2"))
SEED = int(os.environ.get("BUGLOSS_KILL_SEED", str(int(time.time()) // 86_400)))
SPAN = 8.0  # seconds: longer than a job takes, so that kills meet its start, its run, its end and the time after it


class KilledServer:
    """A server in a process of its own, that a test kills and starts again."""

    def __init__(self, folder: Path, database: str, *options: str) -> None:
        self._folder = folder
        self._database = database
        self._options = options
        self.process: subprocess.Popen[str] | None = None
        self.client = Client()

    def start(self) -> Client:
        words = ["serve", "--port", "0", "--json", "--work", str(self._folder / "server"), "--database", self._database]
        words += self._options
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bugloss", *words],
            cwd=self._folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None and self.process.stderr is not None
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        self.client = Client(json.loads(line)["address"])
        return self.client

    def kill(self, number: int = signal.SIGKILL) -> None:
        if self.process is not None:
            os.kill(self.process.pid, number)
            self.process.wait(30)
            for stream in (self.process.stdout, self.process.stderr):
                if stream is not None:
                    stream.close()
            self.process = None


@pytest.fixture
def corpus(tiny: TinyCorpus, bare: Environment, monkeypatch: pytest.MonkeyPatch) -> TinyCorpus:
    """Two bugs that need no framework: one takes two seconds, the other a minute."""
    monkeypatch.delenv("BUGLOSS_ISOLATION")
    slow = "import time\n\n\ndef run():\n    time.sleep({seconds})\n    return [1, 2, 3][{index}]\n"
    for bug, seconds in (("torch-0001", 2), ("torch-0002", 60)):
        buggy, fixed = slow.format(seconds=seconds, index=3), slow.format(seconds=seconds, index=2)
        tiny.add(bug, files={"buggy/program.py": buggy, "fixed/program.py": fixed})
    return tiny


@pytest.fixture
def server(corpus: TinyCorpus, tmp_path: Path, database_url: str) -> Iterator[KilledServer]:
    folder = tmp_path / "place"
    folder.mkdir()
    server = KilledServer(folder, database_url)
    yield server
    server.kill()


def wait_for(client: Client, job: str, state: str, seconds: float = 20) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while (found := client.job(job))["state"] != state:
        assert time.monotonic() < end, found
        time.sleep(0.1)
    return found


def workers() -> set[int]:
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"bugloss.show.api.jobs.worker" in path.read_bytes():
                found.add(int(path.parent.name))
        except OSError:
            continue
    return found


def test_a_killed_server_loses_no_job_and_reports_none_done_that_was_not(server: KilledServer) -> None:
    before = workers()
    client = server.start()
    jobs = [client.test("torch-0001")["job"] for _ in range(3)]
    wait_for(client, jobs[0], "running")
    server.kill()
    end = time.monotonic() + 5
    while workers() - before and time.monotonic() < end:
        time.sleep(0.1)
    assert not workers() - before, "the processes of jobs end with their server"
    client = server.start()
    assert all(client.job(job)["state"] in {"queued", "running"} for job in jobs)
    ended = [client.wait(job, 60) for job in jobs]
    assert [job["state"] for job in ended] == ["done"] * 3
    assert [job["result"]["grade"] for job in ended] == ["fail"] * 3
    assert ended[0]["attempt"] == 2
    texts = [event["text"] for event in client.events(jobs[0])]
    assert texts.count("running") == 2 and texts.count("done") == 1


@pytest.mark.parametrize("pair", range((KILLS + 1) // 2))
def test_kills_at_random_moments_lose_nothing(server: KilledServer, pair: int) -> None:
    """Two kills for each set of jobs: a job whose server dies three times fails, which is another promise."""
    chance, seen = random.Random(f"{SEED}.{pair}"), dict[str, str]()
    client = server.start()
    jobs = [client.test("torch-0001")["job"] for _ in range(3)]
    for _ in range(2):
        end = time.monotonic() + chance.uniform(0, SPAN)
        while time.monotonic() < end:
            seen |= {job: found["state"] for job in jobs if (found := client.job(job))["state"] == "done"}
            time.sleep(0.05)
        server.kill()
        client = server.start()
        states = {job: client.job(job)["state"] for job in jobs}
        assert set(states.values()) <= {"queued", "running", "done"}, states
        assert all(states[job] == "done" for job in seen), "what was reported done stays done"
    for job in jobs:
        ended = client.wait(job, 120)
        assert (ended["state"], ended["result"]["grade"]) == ("done", "fail"), ended
        texts = [event["text"] for event in client.events(job)]
        assert texts.count("done") == 1 and texts.count("running") == ended["attempt"], texts
    assert len(client.jobs()["jobs"]) == len(jobs)


def test_a_server_that_is_stopped_returns_its_jobs_to_the_queue(server: KilledServer) -> None:
    client = server.start()
    job = client.test("torch-0001")["job"]
    wait_for(client, job, "running")
    server.kill(signal.SIGTERM)
    with pytest.raises(EnvironmentFailure):
        client.health()
    client = server.start()
    assert client.wait(job, 60)["attempt"] == 1


def test_a_running_job_is_cancelled(server: KilledServer) -> None:
    client = server.start()
    job = client.test("torch-0002")["job"]
    wait_for(client, job, "running")
    client.cancel(job)
    assert wait_for(client, job, "cancelled")["result"] is None


def test_servers_that_share_a_database_take_over_the_jobs_of_one_that_is_killed(
    corpus: TinyCorpus, tmp_path: Path, postgres_url: str
) -> None:
    servers = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        servers.append(KilledServer(folder, postgres_url))
    try:
        client, other = servers[0].start(), servers[1].start()
        jobs = [client.test("torch-0001")["job"] for _ in range(4)]  # more than one server runs at once
        wait_for(other, jobs[-1], "running")
        servers[0].kill()
        ended = [other.wait(job, 90) for job in jobs]
    finally:
        for server in servers:
            server.kill()
    assert [job["state"] for job in ended] == ["done"] * 4
    assert {job["attempt"] for job in ended} == {1, 2}


@pytest.fixture
def cluster(corpus: TinyCorpus, tmp_path: Path) -> Iterator[Cluster]:
    """A dask scheduler and a worker that knows the corpus."""
    folder = tmp_path / "dask"
    folder.mkdir()
    made = Cluster(folder)
    made.add_worker()
    made.wait_for_workers(1)
    yield made
    made.stop()


@pytest.mark.dask
@pytest.mark.filterwarnings("ignore")
def test_jobs_run_on_dask_workers_and_survive_their_server(cluster: Cluster, tmp_path: Path) -> None:
    before = workers()
    folder = tmp_path / "place"
    folder.mkdir()
    options = ("--engine", "dask", "--scheduler", cluster.address)
    server = KilledServer(folder, f"sqlite:///{tmp_path / 'dask.db'}", *options)
    try:
        client = server.start()
        job = client.test("torch-0001")["job"]
        wait_for(client, job, "running")
        server.kill()
        client = server.start()
        ended = client.wait(job, 60)
        assert (ended["state"], ended["result"]["grade"], ended["attempt"]) == ("done", "fail", 2)
        assert any("running the test of torch-0001" in event["text"] for event in client.events(job))
        slow = client.test("torch-0002")["job"]
        wait_for(client, slow, "running")
        client.cancel(slow)
        assert wait_for(client, slow, "cancelled")["result"] is None
        end = time.monotonic() + 15
        while workers() - before and time.monotonic() < end:
            time.sleep(0.2)
        assert not workers() - before, "a job that is not wanted any more ends on its worker"
    finally:
        server.kill()
