"""bjXnet: code property graphs of the files that rVSM ranks first, read by a network with attention.

Han, Huang, Sun, Liu and Liu, bjXnet: An Improved Bug Localization Model Based on Code Property Graph and Attention
Mechanism (Automated Software Engineering 2023): syntax, control flow and data flow in one graph, and attention to what
matters in it. How ours goes about it is our own, and small, so that it trains on one core and ships: gated message
passing in two steps, attention of the report to its words and to the nodes of a file, a match joined with rVSM; 8,192
hashed terms of 48 numbers, 96 nodes a file, the sixty files with the best rVSM. Trained on other projects
(``scripts/train_bjxnet.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from bugloss.localize.contract import Question
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.lexical import Scores
from bugloss.localize.index.vector_space import normalised, revised_cosines
from bugloss.localize.neural.graph_batch import lay_out
from bugloss.localize.neural.property_graph import PropertyGraph, read_graph

MODEL = Path(__file__).parents[1] / "data" / "bjxnet.bin.gz"
CANDIDATES = 60
_VERSION = 1  # of the graphs: what an older reader kept is never used


class BjxNet:
    """The sixty best files of rVSM in the order of the network, and behind them the others."""

    name = "bjxnet"
    title = "bjXnet: code property graphs and attention over the best files of rVSM (needs PyTorch)"

    def __init__(self, weights: Mapping[str, Any] | None = None) -> None:
        self.weights = weights

    def score(self, corpus: FileCorpus, question: Question) -> Scores:
        from bugloss.adapters.graph_network import import_torch, score, tensors_of

        torch = import_torch()
        rvsm = normalised(revised_cosines(corpus.index, question.query.words))
        order = sorted(range(len(rvsm)), key=lambda at: (-rvsm[at], corpus.index.paths[at]))[:CANDIDATES]
        if not order:
            return rvsm
        batch = lay_out(question.query.words, graphs_of(corpus, order))
        weights = self.weights if self.weights is not None else _shipped()
        with torch.no_grad():
            found = score(weights, tensors_of(batch, [rvsm[at] for at in order])).tolist()
        scores, least = list(rvsm), min(found)
        for at, one in zip(order, found, strict=True):
            scores[at] = 1 + one - least  # above all files that the network did not see
        return scores


@cache
def _shipped() -> Mapping[str, Any]:
    from bugloss.adapters.graph_network import read_weights

    return read_weights(MODEL)


def graphs_of(corpus: FileCorpus, files: Sequence[int]) -> list[PropertyGraph]:
    """The graphs of some files, made once per blob and kept; where there is no repository to read, empty ones."""
    blobs = [corpus.index.blobs[at] for at in files]
    kept = {blob: corpus.store.made(_key(blob)) for blob in blobs}
    found = {blob: PropertyGraph.from_bytes(data) for blob, data in kept.items() if data is not None}
    missing = sorted(set(blobs) - found.keys())
    if missing and corpus.repository is not None:
        for blob, text in corpus.repository.contents(missing):
            found[blob] = read_graph(text)
            corpus.store.keep(_key(blob), found[blob].to_bytes())
    nothing = read_graph("")
    return [found.get(blob, nothing) for blob in blobs]


def _key(blob: str) -> str:
    return f"graph-{_VERSION}:{blob}"
