"""training-mask-not-used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.training_loops import trains
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class TrainingMaskNotUsed(Rule):
    """The mask of the training nodes is made and not used.

    ## What it finds
    A variable such as ``train_mask`` or ``train_idx`` that is assigned or received and never read, in code that
    evaluates with the mask of the test nodes and computes a loss.

    ## Why it hurts
    The loss is taken over all nodes, those of the test set included: the test result says nothing about new data.

    ## Example
    ```python
    loss = F.cross_entropy(model(x, edges), y)
    accuracy = (model(x, edges).argmax(1)[test_mask] == y[test_mask]).float().mean()
    ```

    ## Use instead
    ```python
    loss = F.cross_entropy(model(x, edges)[train_mask], y[train_mask])
    accuracy = (model(x, edges).argmax(1)[test_mask] == y[test_mask]).float().mean()
    ```

    ## Known problems
    The masks are recognised by their names.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    PyTorch Geometric documentation, "Introduction by Example".
    """

    name = "training-mask-not-used"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("train_mask", "train_idx", "train_index", "train_ids", "train_nodes", "idx_train")
    faulty = (
        """\
import torch
import torch.nn.functional as F

def run(model, x, edges, y, optimizer):
    order = torch.randperm(len(y))
    train_idx, test_idx = order[:500], order[500:]
    for epoch in range(100):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x, edges), y)
        loss.backward()
        optimizer.step()
    return (model(x, edges)[test_idx].argmax(1) == y[test_idx]).float().mean()
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

def run(model, x, edges, y, optimizer):
    order = torch.randperm(len(y))
    train_idx, test_idx = order[:500], order[500:]
    for epoch in range(100):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x, edges)[train_idx], y[train_idx])
        loss.backward()
        optimizer.step()
    return (model(x, edges)[test_idx].argmax(1) == y[test_idx]).float().mean()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        names = [node for node in program.nodes[ast.Name] if isinstance(node, ast.Name)]
        made = {node.id: node for node in names if isinstance(node.ctx, ast.Store) and _TRAIN.match(node.id)}
        read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        if not made or not any(_TEST.match(name) for name in read) or not trains(program, program.tree.body):
            return
        for name, node in made.items():
            if name not in read and not program.mentions((f".{name}", f'"{name}"', f"'{name}'")):
                calls = program.called("cross_entropy", "nll_loss", "criterion", "loss_fn", "mse_loss")
                message = f"{name} is never used: the loss counts the nodes of the test set too"
                yield self.finding(program, calls[0] if calls else node, message)


_TRAIN = re.compile(r"(train|training)_(mask|idx|index|indices|ids|nodes)$|idx_train$")
_TEST = re.compile(r"(test|val|valid)_(mask|idx|index|indices|ids|nodes)$|idx_(test|val)$")
