"""split-in-training-loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, move_before
from bugloss.check.views.training_loops import loops_around, makes_model, trains
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, loads, method_of, stored


class SplitInTrainingLoop(Rule):
    """The data are split again in every epoch.

    ## What it finds
    ``random_split`` or ``train_test_split`` inside a loop that goes on training a network from before the loop.

    ## Why it hurts
    Samples that were held out in one epoch are trained on in the next, so after a few epochs the network has seen all
    of them: the validation score is that of the training data.

    ## Example
    ```python
    for epoch in range(epochs):
        train_set, valid_set = random_split(data, [800, 200])
        train(model, train_set)
    ```

    ## Use instead
    ```python
    train_set, valid_set = random_split(data, [800, 200])
    for epoch in range(epochs):
        train(model, train_set)
    ```

    ## Known problems
    A loop that makes a new network in each iteration is cross-validation and is not reported; a split with a constant
    seed gives the same parts and is not reported either.

    ## Fix safety
    Suggested: the line moves before the loop.

    ## References
    The catalogue's row split-overlap.
    """

    name = "split-in-training-loop"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("loop", "data")
    words = ("random_split", "train_test_split")
    faulty = (
        """\
import torch
from torch.utils.data import DataLoader, random_split

def run(model, data, criterion, optimizer):
    for epoch in range(10):
        train_set, valid_set = random_split(data, [800, 200])
        for x, y in DataLoader(train_set, batch_size=8, shuffle=True):
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
    )
    clean = (
        """\
import torch
from torch import nn
from torch.utils.data import DataLoader, random_split

def run(data, criterion):
    for fold in range(10):
        train_set, valid_set = random_split(data, [800, 200])
        model = nn.Linear(3, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in DataLoader(train_set, batch_size=8, shuffle=True):
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
        """\
from sklearn.model_selection import train_test_split

def run(model, x, y):
    for epoch in range(10):
        x_train, x_test, y_train, y_test = train_test_split(x, y, random_state=0)
        model.fit(x_train, y_train, epochs=1)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("random_split", "train_test_split"):
            statement = program.parents.get(call)
            loops = loops_around(program, call)
            repeated = any(isinstance(keyword_of(call, name), ast.Constant) for name in ("random_state", "seed"))
            if not loops or not isinstance(statement, ast.Assign) or repeated or keyword_of(call, "generator"):
                continue
            loop = loops[-1]
            changed = stored(loop.target) if isinstance(loop, ast.For) else set()
            if not loads(call) & changed and trains(program, loop.body) and not makes_model(program, loop.body):
                message = f"{method_of(call)} in the training loop: held-out samples become training samples"
                fix = move_before(program, statement, loop, "split once, before the loop")
                yield self.finding(program, call, message, fix=fix)
