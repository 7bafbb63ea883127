"""order-not-restored."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import FunctionNode, method_of, targets_of, walk


class OrderNotRestored(Rule):
    """A batch is sorted by length, and its original order is never restored.

    ## What it finds
    A forward function that reorders its input by the indices of a sort, and never restores the order: the indices
    are not used again, or the result is indexed by them once more instead of by their inverse.

    ## Why it hurts
    Outputs follow the order of lengths and labels that of the batch: samples are compared with labels of others.

    ## Example
    ```python
    lengths, order = lengths.sort(descending=True)
    out = self.rnn(x[order])
    return self.head(out)
    ```

    ## Use instead
    ```python
    lengths, order = lengths.sort(descending=True)
    out = self.rnn(x[order])
    return self.head(out)[order.argsort()]
    ```

    ## Known problems
    A caller that reorders the labels by indices of its own is not seen.

    ## Fix safety
    No fix is offered; ``enforce_sorted=False`` makes the sort unnecessary.

    ## References
    PyTorch documentation of ``pack_padded_sequence``.
    """

    name = "order-not-restored"
    severity = Severity.WARNING
    category = Category.MODEL
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("layer",)
    words = ("sort",)
    faulty = (
        """\
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

class Reader(nn.Module):
    def forward(self, x, lengths):
        lengths, order = torch.sort(lengths, descending=True)
        packed = pack_padded_sequence(self.embed(x[order]), lengths, batch_first=True)
        _, (hidden, _) = self.lstm(packed)
        return self.head(hidden[-1])
""",
        """\
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

class Reader(nn.Module):
    def forward(self, ids, lengths):
        order = torch.argsort(lengths, descending=True)
        packed = pack_padded_sequence(self.embed(ids[order]), lengths[order], batch_first=True)
        _, hidden = self.gru(packed)
        hidden = hidden[-1]
        return self.head(hidden[order])
""",
    )
    clean = (
        """\
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

class Reader(nn.Module):
    def forward(self, x, lengths):
        lengths, order = torch.sort(lengths, descending=True)
        packed = pack_padded_sequence(self.embed(x[order]), lengths, batch_first=True)
        _, (hidden, _) = self.lstm(packed)
        return self.head(hidden[-1])[order.argsort()]

    def top(self, scores, x):
        order = scores.argsort(descending=True)
        return x[order]
""",
        """\
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

class Reader(nn.Module):
    def forward(self, words, sizes):
        ranked = torch.argsort(sizes, descending=True)
        packed = pack_padded_sequence(self.embed(words[ranked]), sizes[ranked], batch_first=True)
        last = self.rnn(packed)[1][-1]
        back = torch.argsort(ranked)
        return self.out(last.index_select(0, back))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for function in program.nodes[ast.FunctionDef]:
            if not isinstance(function, FunctionNode) or function.name not in {"forward", "call", "encode"}:
                continue
            parts = walk(function)
            for order, statement in _sort_orders(parts):
                uses = [
                    part for part in parts if isinstance(part, ast.Name) and part.id == order.id and part is not order
                ]
                indexing = [part for part in uses if _is_index(program, part)]
                packing = next((part for part in parts if method_of(part).startswith("pack_padded")), None)
                if packing is None or len(uses) != len(indexing):
                    continue
                message = f"the batch stays sorted by length: index the result by {order.id}.argsort()"
                if len(uses) == 1:
                    yield self.finding(program, statement, message)
                for again in indexing:
                    if again.lineno > (getattr(packing, "end_lineno", 0) or 0) and _reads(program, again):
                        message = f"{order.id} sorts the result once more: restore its order by {order.id}.argsort()"
                        yield self.finding(program, again, message)


def _sort_orders(parts: list[ast.AST]) -> Iterator[tuple[ast.Name, ast.stmt]]:
    """Names that hold the indices of a sort; a sort of such indices gives the way back."""
    known: set[str] = set()
    for part in parts:
        if isinstance(part, ast.Assign) and method_of(part.value) in {"sort", "argsort", "topk"}:
            if known & {one.id for one in walk(part.value) if isinstance(one, ast.Name)}:
                continue
            for target in targets_of(part):
                last = target.elts[-1] if isinstance(target, ast.Tuple) else target
                if isinstance(last, ast.Name):
                    known.add(last.id)
                    yield last, part


def _reads(program: Program, name: ast.Name) -> bool:
    """Whether the index reads elements; ``restored[order] = sorted`` writes them back to their places."""
    parent = program.parents.get(name)
    return isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Load)


def _is_index(program: Program, name: ast.Name) -> bool:
    parent = program.parents.get(name)
    return (isinstance(parent, ast.Subscript) and parent.slice is name) or method_of(parent) in {
        "index_select",
        "gather",
    }
