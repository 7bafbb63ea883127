"""``bugloss serve``: start to the first page, Explore over 5,000 bugs, answers under load, memory over time."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from bench.load import Answer, Ask, Load, quantile
from bench.many_bugs import write_many_bugs

STARTS = 5
BUGS = 5_000
EXPLORED = {
    "everything": "",
    "two facets": "framework=torch&symptom=crash",
    "a word": "q=loss",
    "words and a facet": "q=loss+nan&category=training",
    "a query": "where=seconds%3C6",
}
PER_SECOND = 50
LOAD_SECONDS = 60.0
_SAMPLE_SECONDS = 5.0
_WARM_SECONDS = 20.0  # the server's own preparations are over by then
_PROGRAM = (
    "import torch\nfrom torch import nn\nmodel = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))\n"
    "loss = nn.CrossEntropyLoss()\nloss(model(torch.randn(2, 4)), torch.tensor([0, 1]))\n"
)
# What people do: most look at lists and bugs, some ask, a script reads the API. A client may post twice a second.
ASKS = (
    Ask("/", 4),
    Ask("/explore", 12),
    Ask("/explore?framework=torch&symptom=crash", 10),
    Ask("/explore?q=loss+nan", 8),
    *(Ask(f"/bugs/{bug}", 5) for bug in ("torch-0003", "torch-0028", "keras-0001", "keras-0011", "tf-0002")),
    Ask("/health", 4),
    Ask("/studies", 3),
    Ask("/jobs", 4),
    Ask("/submit", 2),
    Ask("/static/web.css", 10),
    Ask("/api/v1/bugs?limit=50", 4),
    Ask("/api/v1/bugs/torch-0003", 6),
    Ask("/api/v1/jobs", 6),
    Ask("/api/v1/check", 1, json.dumps({"source": _PROGRAM})),
    Ask("/api/v1/lookup", 1, json.dumps({"text": "RuntimeError: mat1 and mat2 shapes cannot be multiplied"})),
)


@dataclass
class Server:
    """A server in a process of its own, with a work folder that may be gone afterwards."""

    work: Path
    corpus: Path | None = None
    address: str = field(default="", init=False)
    process: subprocess.Popen[str] = field(init=False)

    def start(self) -> None:
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        corpus = {"BUGLOSS_BUGS": str(self.corpus)} if self.corpus else {}
        words = ["-m", "bugloss", "serve", "--port", "0", "--json", "--work", str(self.work)]
        self.process = subprocess.Popen(
            [sys.executable, *words],
            env={**variables, **corpus},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = str(json.loads(self.process.stdout.readline())["address"]).rstrip("/")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)

    def get(self, path: str) -> bytes:
        with urlopen(self.address + path, timeout=120) as response:
            content: bytes = response.read()
            return content

    @property
    def megabytes(self) -> float:
        """Resident memory of the server's own process."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def serving(corpus: Path | None = None) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), corpus)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def measure(minutes: float = 10.0) -> dict[str, object]:
    """Everything; ``minutes`` is how long memory is watched under load, after ``LOAD_SECONDS`` of it were timed."""
    return {
        "first page": measure_start(),
        "explore": measure_explore(BUGS),
        "load": measure_load(min(LOAD_SECONDS, minutes * 60)),
        "memory": measure_memory(minutes),
    }


def measure_start() -> dict[str, object]:
    """Seconds from the command to the whole start page, with an empty work folder and with one that was used."""
    taken: dict[str, list[float]] = {"empty work folder": [], "used work folder": []}
    for repeat in range(STARTS + 1):
        with tempfile.TemporaryDirectory() as folder:
            for seconds in taken.values():
                server, begun = Server(Path(folder)), time.monotonic()
                server.start()
                server.get("/")
                spent = time.monotonic() - begun
                server.stop()
                if repeat:  # the first start compiles what was just installed
                    seconds.append(spent)
    rows = {name: _spread(seconds) for name, seconds in taken.items()}
    print("   first page: " + ", ".join(f"{name} {row['median']:.2f} s" for name, row in rows.items()), flush=True)
    return {"target": "below 2 s", "starts": STARTS, "seconds": rows}


def measure_explore(count: int) -> dict[str, object]:
    """Seconds of whole answers of the page Explore, over a large corpus, on one connection."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "bugs")
        write_many_bugs(corpus, count)
        with serving(corpus) as server:
            rows = {name: _spread(_timed(server, f"/explore?{query}")) for name, query in EXPLORED.items()}
    print("   explore: " + ", ".join(f"{name} {1000 * row['median']:.0f} ms" for name, row in rows.items()), flush=True)
    return {"target": "below 0.15 s", "bugs": count, "seconds": rows}


def _timed(server: Server, path: str, repeats: int = 15) -> list[float]:
    server.get(path)  # what is made once is made
    seconds = []
    for _ in range(repeats):
        begun = time.monotonic()
        server.get(path)
        seconds.append(time.monotonic() - begun)
    return seconds


def measure_load(seconds: float) -> dict[str, object]:
    """Latencies at so many requests a second."""
    with serving() as server:
        load = Load(server.address, ASKS, PER_SECOND)
        load.run(min(_WARM_SECONDS, seconds))
        answers = load.run(seconds, seed=1)
    result = {"target": "p95 below 0.3 s", "requests a second": PER_SECOND, "seconds": seconds, **_latencies(answers)}
    print(f"   load: p95 {result['p95']} s, {result['failed']} of {result['requests']} failed", flush=True)
    return result


def _latencies(answers: Sequence[Answer]) -> dict[str, object]:
    taken = [answer.seconds for answer in answers]
    by_path = {ask.path: [answer.seconds for answer in answers if answer.path == ask.path] for ask in ASKS}
    return {
        "requests": len(answers),
        "failed": sum(answer.status != 200 for answer in answers),
        "statuses": {str(status): count for status, count in Counter(one.status for one in answers).items()},
        **{f"p{share}": round(quantile(taken, share / 100), 4) for share in (50, 95, 99)},
        "most": round(max(taken), 4),
        "p95 by address": {path: round(quantile(found, 0.95), 4) for path, found in by_path.items() if found},
    }


def measure_memory(minutes: float) -> dict[str, object]:
    """Resident memory while the load goes on; the first minute, in which caches fill, does not count."""
    with serving() as server:
        load = Load(server.address, ASKS, PER_SECOND)
        load.run(min(60.0, minutes * 20))
        series, over = list[tuple[float, float]](), threading.Event()
        watcher = threading.Thread(target=_watch, args=(server, series, over))
        watcher.start()
        answers = load.run(minutes * 60, seed=2)
        over.set()
        watcher.join()
    growth = _slope(series)
    print(f"   memory: {series[0][1]:.0f} to {series[-1][1]:.0f} MB, {growth:+.2f} MB a minute", flush=True)
    return {
        "target": "flat",
        "minutes": minutes,
        "megabytes": {"first": round(series[0][1], 1), "last": round(series[-1][1], 1)},
        "megabytes a minute": round(growth, 3),
        "series": [(round(at), round(value, 1)) for at, value in series[:: max(len(series) // 40, 1)]],
        **_latencies(answers),
    }


def _watch(server: Server, series: list[tuple[float, float]], over: threading.Event) -> None:
    begun = time.monotonic()
    while True:
        series.append((time.monotonic() - begun, server.megabytes))
        if over.wait(_SAMPLE_SECONDS):
            return


def _slope(series: Sequence[tuple[float, float]]) -> float:
    """Megabytes a minute, by least squares."""
    if len(series) < 3:
        return 0.0
    return 60 * statistics.linear_regression(*zip(*series, strict=True)).slope


def _spread(seconds: Sequence[float]) -> dict[str, float]:
    return {
        "median": round(statistics.median(seconds), 4),
        "least": round(min(seconds), 4),
        "most": round(max(seconds), 4),
    }
