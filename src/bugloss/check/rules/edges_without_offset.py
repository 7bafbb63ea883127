"""edges-without-offset."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of, scope_text
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, method_of, receiver_of, walk, written


class EdgesWithoutOffset(Rule):
    """Graphs are joined to one batch without shifting the node numbers of their edges.

    ## What it finds
    ``cat``, ``concatenate`` or ``hstack`` of the edge lists of several graphs in a program that also joins their
    nodes, where no offset is added to the edges.

    ## Why it hurts
    The edges of all graphs point to the nodes of the first ones. Messages cross the borders of graphs, and most
    nodes get none.

    ## Example
    ```python
    edges = torch.cat([graph.edge_index for graph in graphs], dim=1)
    ```

    ## Use instead
    ```python
    offsets = np.cumsum([0] + [graph.num_nodes for graph in graphs])
    edges = torch.cat([graph.edge_index + o for graph, o in zip(graphs, offsets)], dim=1)
    ```

    ## Known problems
    Edges that were shifted before they were stored are reported.

    ## Fix safety
    No fix is offered.

    ## References
    Fey and Lenssen, Fast Graph Representation Learning with PyTorch Geometric (2019), section on mini-batches.
    """

    name = "edges-without-offset"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("edge",)
    faulty = (
        """\
import torch

def collate(graphs):
    nodes = torch.cat([graph["x"] for graph in graphs])
    edges = torch.cat([graph["edges"] for graph in graphs], dim=1)
    labels = torch.tensor([graph["y"] for graph in graphs])
    return nodes, edges, labels
""",
        """\
import torch

def collate(graphs):
    nodes, edge_lists = [], []
    for graph in graphs:
        nodes.append(graph.x)
        edge_lists.append(graph.edge_index)
    return torch.cat(nodes), torch.cat(edge_lists, dim=1)
""",
    )
    clean = (
        """\
import torch

def collate(graphs):
    nodes, edges, offset = [], [], 0
    for graph in graphs:
        nodes.append(graph.x)
        edges.append(graph.edge_index + offset)
        offset += len(graph.x)
    return torch.cat(nodes), torch.cat(edges, dim=1)

def both_ways(edge_index):
    return torch.cat([edge_index, edge_index.flip(0)], dim=1)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("cat", "concatenate", "hstack", "concat"):
            given = call.args[0] if call.args else None
            edges = _edges_of_each(program, given, call) if given is not None else None
            scope = scope_of(program, call)
            if edges is not None and _joins_nodes(scope, call) and not _SHIFTED.search(scope_text(program, call)):
                message = "node numbers of later graphs must be shifted by the number of nodes before them"
                yield self.finding(program, edges, message)


_EDGE = re.compile(r"edge", re.IGNORECASE)
_SHIFTED = re.compile(r"offset|shift|cumsum|\+=?\s*(total|count|start|base|num_nodes|n_nodes|seen)", re.IGNORECASE)


def _edges_of_each(program: Program, given: ast.expr, call: ast.Call) -> ast.expr | None:
    """The expression that reads the edges of one graph, where those of several are joined."""
    found = definition(program, given)
    if isinstance(found, ast.ListComp | ast.GeneratorExp):
        return found.elt if _reads_edges(found.elt) else None
    for one in program.called("append") if isinstance(given, ast.Name) else ():
        if (
            last_part(receiver_of(one)) == last_part(given)
            and scope_of(program, one) is scope_of(program, call)
            and one.args
        ):
            return one.args[0] if _reads_edges(one.args[0]) else None
    return None


def _reads_edges(node: ast.expr) -> bool:
    """Whether edges are read as they are: an attribute or a key, converted at most."""
    plain = not any(isinstance(part, ast.BinOp) for part in walk(node))
    return (
        plain
        and isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Name)
        and bool(_EDGE.search(written(node)))
    )


def _joins_nodes(scope: ast.AST, call: ast.Call) -> bool:
    joined = [part for part in walk(scope) if method_of(part) in {"cat", "concatenate", "vstack", "concat"}]
    return any(part is not call and "edge" not in written(part).lower() for part in joined)
