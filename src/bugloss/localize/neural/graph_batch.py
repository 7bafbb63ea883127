"""The candidates of one report as one large graph of numbers, ready for a network."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bugloss.localize.neural.property_graph import DEFINITIONS, EDGE_KINDS, PropertyGraph, bucket

NODES = 96  # of a file: its definitions that say most of what the report says
_MOST_WORDS = 150  # of a report


@dataclass(frozen=True, slots=True)
class GraphBatch:
    """Nodes of all files in a row; terms of all nodes in a row with their weights, and where each node's begin."""

    files: int
    file_of: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    terms: list[int] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    edges: tuple[tuple[list[int], list[int]], ...] = field(
        default_factory=lambda: tuple(([], []) for _ in range(EDGE_KINDS))
    )
    asked: list[int] = field(default_factory=list)  # the report's terms
    asked_weights: list[float] = field(default_factory=list)


def lay_out(words: Mapping[str, int], graphs: Sequence[PropertyGraph], only: Sequence[int] | None = None) -> GraphBatch:
    """One report and the graphs of its candidates; a term is the rarer the fewer of these have it.

    ``only`` leaves out all but some candidates, which are then numbered in that order; rarity stays that of all.
    """
    having = Counter(term for graph in graphs for term in set(graph.terms))
    rarity = {term: math.log(1 + len(graphs) / count) for term, count in having.items()}
    counts: dict[int, float] = {}
    for word, count in words.items():
        counts[bucket(word)] = max(counts.get(bucket(word), 0.0), 1 + math.log(count))
    usual = math.log(1 + len(graphs))
    asked = {term: weight * rarity.get(term, usual) for term, weight in counts.items()}
    kept = sorted(asked, key=lambda term: (-asked[term], term))[:_MOST_WORDS]
    chosen = [graphs[at] for at in only] if only is not None else graphs
    batch = GraphBatch(len(chosen), asked=kept, asked_weights=_unit([asked[term] for term in kept]))
    for number, graph in enumerate(chosen):
        _add(batch, number, graph, chosen_nodes(graph, {term: asked[term] for term in kept}), rarity)
    return batch


def _unit(weights: Sequence[float]) -> list[float]:
    length = math.sqrt(sum(weight * weight for weight in weights)) or 1.0
    return [weight / length for weight in weights]


def chosen_nodes(graph: PropertyGraph, asked: Mapping[int, float], most: int = NODES) -> list[int]:
    """The nodes of a large file that are looked at: whole definitions, those first that share most with the report."""
    if graph.size <= most:
        return list(range(graph.size))
    members: dict[int, list[int]] = {}
    shared: dict[int, set[int]] = {}
    for node in range(graph.size):
        group = node if graph.kinds[node] in DEFINITIONS else graph.owners[node]
        members.setdefault(group, []).append(node)
        shared.setdefault(group, set()).update(graph.terms_of_node(node))
    worth = {group: sum(asked.get(term, 0.0) for term in terms) for group, terms in shared.items()}
    chosen: dict[int, None] = {}
    for group in sorted(members, key=lambda group: (-worth[group], group)):
        chosen.update(dict.fromkeys(members[group]))
        if len(chosen) >= most:
            break
    return sorted(list(chosen)[:most])


def _add(
    batch: GraphBatch, number: int, graph: PropertyGraph, chosen: Sequence[int], rarity: Mapping[int, float]
) -> None:
    places = {node: len(batch.kinds) + at for at, node in enumerate(chosen)}
    for node in chosen:
        terms = graph.terms_of_node(node)
        batch.file_of.append(number)
        batch.kinds.append(graph.kinds[node])
        batch.starts.append(len(batch.terms))
        batch.terms.extend(terms)
        batch.weights.extend(_unit([rarity[term] for term in terms]))
    for (sources, targets), pairs in zip(batch.edges, graph.edges, strict=True):
        for source, target in zip(pairs[::2], pairs[1::2], strict=True):
            if source in places and target in places:
                sources.append(places[source])
                targets.append(places[target])
