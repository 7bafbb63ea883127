"""edges-leave-graph."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_KIND = "edges-leave-graph"


def _seen(**facts: int) -> tuple[Occasion, ...]:
    return (Occasion(_KIND, 1, facts=facts),)


class EdgesLeaveGraph(Detector):
    """Edges of a batch of graphs join nodes of different graphs.

    ## What it finds
    Edges whose two nodes belong to different graphs by the vector that the model pools nodes with, and batches of which
    all edges are in one graph.

    ## Why it hurts
    Messages pass between graphs that have nothing to do with each other, and other nodes get none.

    ## How it decides
    The vector must name a graph for each node in ascending order, and the model must give one output for each graph. No
    batch of separate graphs has an edge between two of them: a warning.

    ## Known problems
    A graph whose parts are linked on purpose, and pooled one by one, looks the same.

    ## References
    PyTorch Geometric, "Advanced Mini-Batching".
    """

    name = "edges-leave-graph"
    severity = Severity.WARNING
    category = Category.TENSOR
    faulty = (
        sketch(occasions=_seen(crossing=30, edges=200, graphs=16, linked=3)),
        sketch(occasions=_seen(crossing=0, edges=200, graphs=16, linked=1)),
    )
    healthy = (sketch(occasions=()), sketch(occasions=(Occasion("states-kept", 40),)))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        seen = next((item for item in recording.occasions if item.kind == _KIND), None)
        if seen is None:
            return
        facts = seen.facts
        if facts.get("crossing"):
            text = f"{facts['crossing']} of {facts.get('edges')} edges of a batch join nodes of different graphs"
        else:
            text = f"All {facts.get('edges')} edges of a batch of {facts.get('graphs')} graphs are in one of them"
        yield self.symptom(
            f"{text}: node numbers must be shifted by the nodes of the graphs before.",
            step=seen.step,
            site=seen.site,
            crossing=facts.get("crossing"),
            graphs=facts.get("graphs"),
        )
