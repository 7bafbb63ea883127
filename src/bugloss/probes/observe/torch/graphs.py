"""Batches of graphs: whether edges stay within a graph.

Several graphs in one batch are one large graph: nodes one after the other, edges shifted by the nodes before them, and
a vector that says which graph a node belongs to. An edge between two graphs is an edge that was not shifted.
"""

from .layers import quiet
from .numbers import is_plain, tensors_in

MOST_LOOKS, MOST_PASSES = 6, 60
MOST_EDGES = 200000
LEAST_GRAPHS = 3


class GraphWatch(object):
    """Looks at the inputs of the first passes for edges and owners of nodes."""

    def __init__(self, recorder, observer):
        self.recorder, self.torch = recorder, observer.torch
        self.guard = recorder.guard("edges of a batch")
        self.looks = self.passes = 0

    def used(self, one):
        """A pass of a model is over."""
        if self.looks >= MOST_LOOKS or self.passes >= MOST_PASSES or one.output is None or not one.output.dim():
            return
        self.passes += 1
        with self.guard:
            whole = [part for part in tensors_in((one.arguments, one.named)) if is_whole(part)]
            edges = next((pairs_of(part) for part in whole if pairs_of(part) is not None), None)
            graphs = int(one.output.shape[0])
            if edges is None or graphs < LEAST_GRAPHS or edges.numel() > MOST_EDGES or not edges.numel():
                return
            with quiet(self.torch):
                owner = next((part for part in whole if self.owns(part, graphs)), None)
                if owner is None or int(edges.max()) >= owner.numel():
                    return
                self.looks += 1
                crossing = (owner[edges[0]] != owner[edges[1]]).sum().item()
                linked = len(set(owner[edges].reshape(-1).tolist()))
            if crossing or (linked == 1 and edges.shape[1] > 2 * graphs):
                self.recorder.occasion(
                    "edges-leave-graph", one.place, crossing=crossing, edges=int(edges.shape[1]), graphs=graphs,
                    linked=linked,
                )  # fmt: skip

    def owns(self, part, graphs):
        """Whether this names the graph of each node: 0, 0, 1, 1, 1, 2 …"""
        if part.dim() != 1 or part.numel() <= graphs or int(part[0]) != 0 or int(part[-1]) != graphs - 1:
            return False
        steps = part[1:] - part[:-1]
        return bool(((steps == 0) | (steps == 1)).all())


def is_whole(part):
    return is_plain(part) and part.dim() in (1, 2) and not part.is_floating_point() and part.element_size() > 1


def pairs_of(part):
    """Edges as two rows."""
    if part.dim() != 2 or 2 not in part.shape:
        return None
    return part if part.shape[0] == 2 else part.t()
