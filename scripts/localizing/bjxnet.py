"""bjXnet's network, learned with projects kept apart."""

from __future__ import annotations

import pickle
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from bugloss.adapters.graph_network import Tensors, fresh, score, tensors_of
from bugloss.evaluate.predictions import Prediction
from bugloss.localize.neural.graph_batch import GraphBatch, lay_out
from bugloss.localize.neural.property_graph import BUCKETS, EDGE_KINDS, KINDS, PropertyGraph, read_graph
from bugloss.localize.repository.objects import Repository
from bugloss.localize.techniques.bjxnet import CANDIDATES
from localizing.candidates import Candidates, Project, groups_of

EPOCHS, BATCH, STEP, DECAY = 1, 4, 0.002, 1e-4  # a second look at a report already learns it by heart
HARD, EASY = 14, 8  # candidates to learn from, besides the true ones: the best of rVSM, and some of the others
Weights = dict[str, Any]


@dataclass(frozen=True)
class Example:
    """Some candidates of a report, and which of them are true."""

    project: str
    given: Tensors
    truth: Any


Graphs = Mapping[str, bytes]


def read_graphs(project: Project, cache: Path) -> Graphs:
    """The graphs of a project's candidates; what was made before is read back from ``cache``."""
    path = cache / "graphs" / f"{project.name}.pickle"
    if not path.is_file():
        start = time.monotonic()
        repository = Repository(project.reports[0].subject.repository)
        blobs = sorted({blob for report in project.reports for blob in report.blobs[: _count(report)]})
        found = {blob: read_graph(text).to_bytes() for blob, text in repository.contents(blobs)}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(found))
        print(f"{project.name}: {len(found)} graphs, {time.monotonic() - start:.0f} s", flush=True)
    kept: Graphs = pickle.loads(path.read_bytes())
    return kept


def _count(report: Candidates) -> int:
    return min(CANDIDATES, len(report.paths))


def batch_of(report: Candidates, graphs: Graphs, only: Sequence[int] | None = None) -> GraphBatch:
    """The candidates of a report, laid out as the technique lays them out."""
    nothing = read_graph("")
    kept = [graphs.get(blob) for blob in report.blobs[: _count(report)]]
    return lay_out(report.words, [PropertyGraph.from_bytes(data) if data else nothing for data in kept], only)


def examples_of(project: Project, graphs: Graphs) -> list[Example]:
    """Reports with a true file among the candidates; the others teach nothing."""
    return [_example(report, graphs) for report in project.reports if any(report.truth[: _count(report)])]


def _example(report: Candidates, graphs: Graphs) -> Example:
    truth = report.truth[: _count(report)]
    wrong = [at for at in range(_count(report)) if not truth[at]]
    easy = random.Random(report.subject.id).sample(wrong[HARD:], min(EASY, len(wrong[HARD:])))
    chosen = [*(at for at in range(_count(report)) if truth[at]), *wrong[:HARD], *easy]
    given = tensors_of(batch_of(report, graphs, chosen), [report.features[at][0] for at in chosen])
    return Example(report.subject.project, given, torch.tensor([float(truth[at]) for at in chosen]))


def fit(examples: Sequence[Example], seed: int = 0, epochs: int = EPOCHS) -> Weights:
    """Weights under which true files get most of a softmax over the candidates of their report."""
    weights = fresh(BUCKETS, len(KINDS), EDGE_KINDS, seed)
    for tensor in weights.values():
        tensor.requires_grad_(True)
    optimizer = torch.optim.AdamW(weights.values(), lr=STEP, weight_decay=DECAY)
    draw = random.Random(seed)
    for _ in range(epochs):
        order = draw.sample(range(len(examples)), len(examples))
        for start in range(0, len(order), BATCH):
            optimizer.zero_grad()
            for at in order[start : start + BATCH]:
                example = examples[at]
                shares = torch.log_softmax(score(weights, example.given), dim=0)
                (-(shares * example.truth).sum() / example.truth.sum() / BATCH).backward()
            optimizer.step()
    return {name: tensor.detach() for name, tensor in weights.items()}


def ranked(report: Candidates, graphs: Graphs, weights: Weights) -> Prediction:
    """The candidates of a report in the order of the network; what rVSM put behind them is not ranked."""
    given = tensors_of(batch_of(report, graphs), [row[0] for row in report.features[: _count(report)]])
    with torch.no_grad():
        found = score(weights, given).tolist()
    order = sorted(range(_count(report)), key=lambda at: (-found[at], report.paths[at]))
    return Prediction(report.subject.id, "bjxnet", tuple(report.paths[at] for at in order))


def leave_projects_out(projects: Sequence[Project], folds: int, cache: Path) -> tuple[Prediction, ...]:
    """Each report ranked with weights that saw nothing of its project."""
    torch.set_num_threads(1)
    examples = [example for one in projects for example in examples_of(one, read_graphs(one, cache))]
    predictions: list[Prediction] = []
    for held_out in groups_of(projects, folds):
        start = time.monotonic()
        weights = fit([example for example in examples if example.project not in held_out])
        for project in projects:
            if project.name in held_out:
                graphs = read_graphs(project, cache)
                predictions += [ranked(report, graphs, weights) for report in project.reports]
        print(f"   bjxnet: {len(held_out)} projects left out, {time.monotonic() - start:.0f} s", flush=True)
    return tuple(predictions)
