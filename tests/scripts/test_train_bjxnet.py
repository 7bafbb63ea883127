"""bjXnet's training: it learns what graphs tell, twice the same, and projects stay apart."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch (extra 'torch') is not installed")
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture(autouse=True)
def scripts_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))  # PyTorch's optimizers set it when they are loaded
    yield


def reports(count: int = 12) -> tuple[list[Any], dict[str, bytes]]:
    """A report that says "gpu" means the file that says "cuda": no word is shared."""
    from localizing.candidates import Candidates, Project, ProjectWords

    from bugloss.evaluate.subjects import RankedReport
    from bugloss.localize.neural.property_graph import read_graph

    words = ("cuda", "disk", "plot", "text")
    graphs = {word: read_graph(f"def run_it():\n    {word} = 1\n    return {word}\n").to_bytes() for word in words}
    draw, found = random.Random(0), {}
    for number in range(count):
        name = f"p{number % 3}"
        blobs = tuple(draw.sample(words, len(words)))
        paths = tuple(f"{blob}.py" for blob in blobs)
        subject = RankedReport(f"{name}#{number}", name, Path(), "c", "t", "", 0, 1, ("cuda.py",))
        rows = tuple((0.0,) * 5 for _ in blobs)
        found.setdefault(name, []).append(Candidates(subject, {"gpu": 1}, paths, blobs, rows))
    return [Project(name, tuple(made), ProjectWords((), {})) for name, made in sorted(found.items())], graphs


def test_associations_are_learned_that_no_shared_word_tells() -> None:
    from localizing.bjxnet import examples_of, fit, ranked

    projects, graphs = reports()
    weights = fit([example for one in projects for example in examples_of(one, graphs)], epochs=10)
    assert all(ranked(report, graphs, weights).ranking[0] == "cuda.py" for one in projects for report in one.reports)


def test_learning_twice_gives_the_same() -> None:
    from localizing.bjxnet import examples_of, fit

    projects, graphs = reports()
    examples = examples_of(projects[0], graphs)
    first, second = fit(examples, epochs=1), fit(examples, epochs=1)
    assert all(bool((first[name] == second[name]).all()) for name in first)


def test_no_network_sees_the_project_that_it_ranks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from localizing import bjxnet

    projects, graphs = reports()
    seen: list[set[str]] = []
    plain = bjxnet.fit
    monkeypatch.setattr(bjxnet, "fit", lambda part: seen.append({one.project for one in part}) or plain(part, epochs=1))
    monkeypatch.setattr(bjxnet, "read_graphs", lambda project, cache: graphs)
    found = bjxnet.leave_projects_out(projects, 3, tmp_path)
    assert sorted(map(sorted, seen)) == [["p0", "p1"], ["p0", "p2"], ["p1", "p2"]]
    assert len({one.id for one in found}) == 12
