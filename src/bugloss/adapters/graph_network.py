"""The network of ``bjxnet`` in PyTorch: gated message passing over code property graphs, attention, and a match.

Terms are hashed and embedded. Nodes hear of their neighbours along syntax, control flow and data flow, both ways, and a
gate decides how much of it they take over. The report decides which of its own words and which nodes of a file count.
"""

from __future__ import annotations

import gzip
import json
import struct
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bugloss.core.errors import MissingExtra

SIZE = 48
STEPS = 2  # of message passing
MATCHED = 8  # hidden units of the last layers
Tensor = Any  # torch is optional, so its types are not known here


def import_torch() -> Any:
    """PyTorch, or a sentence that says how to get it."""
    try:
        import torch
    except ImportError:
        raise MissingExtra("torch", "the technique bjxnet") from None
    return torch


@dataclass(frozen=True, slots=True)
class Tensors:
    """A report and the graphs of its candidates; the fields are those of ``localize.neural.graph_batch.GraphBatch``."""

    files: int
    file_of: Tensor
    kinds: Tensor
    starts: Tensor
    terms: Tensor
    weights: Tensor
    edges: tuple[tuple[Tensor, Tensor], ...]
    asked: Tensor
    asked_weights: Tensor
    rvsm: Tensor


def tensors_of(batch: Any, rvsm: Sequence[float]) -> Tensors:
    """The numbers of a batch, and the rVSM score of each file beside them."""
    torch = import_torch()

    def whole(numbers: Sequence[int]) -> Tensor:
        return torch.tensor(numbers, dtype=torch.long)

    def real(numbers: Sequence[float]) -> Tensor:
        return torch.tensor(numbers, dtype=torch.float32)

    edges = tuple((whole(sources), whole(targets)) for sources, targets in batch.edges)
    nodes = (whole(batch.file_of), whole(batch.kinds), whole(batch.starts), whole(batch.terms), real(batch.weights))
    return Tensors(batch.files, *nodes, edges, whole(batch.asked), real(batch.asked_weights), real(rvsm))


def fresh(buckets: int, kinds: int, edge_kinds: int, seed: int = 0) -> dict[str, Tensor]:
    """Weights to begin with: words are all different, gates nearly shut, so that at first equal words match."""
    torch = import_torch()
    draw = torch.Generator().manual_seed(seed)

    def normal(*shape: int, scale: float) -> Tensor:
        return torch.randn(*shape, generator=draw) * scale

    return {
        "terms": normal(buckets, SIZE, scale=SIZE**-0.5),
        "kinds": normal(kinds, SIZE, scale=0.01),
        "messages": normal(2 * edge_kinds, SIZE, SIZE, scale=0.5 * SIZE**-0.5),
        "gate": normal(2 * SIZE, SIZE, scale=0.1 * SIZE**-0.5),
        "gate offset": torch.full((SIZE,), -2.0),
        "candidate": normal(2 * SIZE, SIZE, scale=SIZE**-0.5),
        "words": normal(SIZE, scale=0.01),
        "focus": torch.eye(SIZE) + normal(SIZE, SIZE, scale=0.01),
        "hidden": normal(5, MATCHED, scale=0.5),
        "hidden offset": torch.zeros(MATCHED),
        "final": normal(MATCHED, scale=0.1),
        "direct": torch.tensor([6.0, 1.0, 2.0, 1.0, 0.0]),
    }


def score(weights: Mapping[str, Tensor], given: Tensors) -> Tensor:
    """One score a candidate; the larger, the likelier."""
    torch = import_torch()
    nodes = _heard(weights, given, _embedded(weights, given))
    words = weights["terms"][given.asked]
    attention = given.asked_weights * (2 * torch.sigmoid(words @ weights["words"]))
    report = attention @ words
    agreement = nodes @ (report @ weights["focus"])
    looked_at, most = _attended(given, agreement)
    file_vectors = torch.zeros(given.files, SIZE).index_add(0, given.file_of, nodes * looked_at[:, None])
    spread = torch.zeros(given.files).index_add(0, given.file_of, agreement) / given.files
    length = torch.bincount(given.file_of, minlength=given.files).clamp(min=1).log()
    facts = torch.stack([given.rvsm, file_vectors @ report, most, torch.tanh(spread), length / 5], dim=1)
    hidden = torch.tanh(facts @ weights["hidden"] + weights["hidden offset"])
    return hidden @ weights["final"] + facts @ weights["direct"]


def _embedded(weights: Mapping[str, Tensor], given: Tensors) -> Tensor:
    torch = import_torch()
    if not len(given.terms):
        return weights["kinds"][given.kinds]
    said = torch.nn.functional.embedding_bag(
        given.terms, weights["terms"], given.starts, mode="sum", per_sample_weights=given.weights
    )
    return said + weights["kinds"][given.kinds]


def _heard(weights: Mapping[str, Tensor], given: Tensors, nodes: Tensor) -> Tensor:
    """Nodes after they have heard of their neighbours."""
    torch = import_torch()
    ways = [way for sources, targets in given.edges for way in ((sources, targets), (targets, sources))]
    shares = [1 / torch.bincount(targets, minlength=len(nodes)).clamp(min=1)[targets] for _, targets in ways]
    for _ in range(STEPS):
        received = torch.zeros_like(nodes)
        for (sources, targets), share, layer in zip(ways, shares, weights["messages"], strict=True):
            if len(sources):
                mean = torch.zeros_like(nodes).index_add(0, targets, nodes[sources] * share[:, None])
                received = received + mean @ layer
        both = torch.cat([nodes, received], dim=1)
        gate = torch.sigmoid(both @ weights["gate"] + weights["gate offset"])
        nodes = (1 - gate) * nodes + gate * torch.tanh(both @ weights["candidate"])
    return nodes


def _attended(given: Tensors, agreement: Tensor) -> tuple[Tensor, Tensor]:
    """How much each node of a file is looked at (a softmax within the file), and each file's strongest agreement."""
    torch = import_torch()
    most = torch.full((given.files,), -1e9).scatter_reduce(0, given.file_of, agreement, "amax")
    raised = torch.exp(4 * (agreement - most[given.file_of]))
    whole = torch.zeros(given.files).index_add(0, given.file_of, raised)
    return raised / whole[given.file_of], most


def write_weights(path: Path, weights: Mapping[str, Tensor]) -> None:
    """Keeps weights in whole numbers of one byte each, with what one is worth."""
    torch = import_torch()
    head, body = {}, b""
    for name, tensor in weights.items():
        unit = float(tensor.abs().max()) / 127 or 1.0
        numbers = torch.round(tensor / unit).to(torch.int8)
        head[name] = [list(tensor.shape), unit]
        body += array("b", numbers.flatten().tolist()).tobytes()
    text = json.dumps({"schema": "bugloss.bjxnet/1", "parts": head}).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(struct.pack("<I", len(text)) + text + body, 9, mtime=0))


def read_weights(path: Path) -> dict[str, Tensor]:
    """What was kept."""
    torch = import_torch()
    data = gzip.decompress(path.read_bytes())
    (size,) = struct.unpack_from("<I", data)
    parts, at, found = json.loads(data[4 : 4 + size])["parts"], 4 + size, {}
    for name, (shape, unit) in parts.items():
        count = 1
        for length in shape:
            count *= length
        numbers = torch.frombuffer(bytearray(data[at : at + count]), dtype=torch.int8)
        found[name] = numbers.to(torch.float32).reshape(shape) * unit
        at += count
    return found
