"""iterator-exhausted."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import assigned
from bugloss.check.views.training_loops import loops_around
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import functions_by_name, scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, method_of, targets_of, walk_here


class IteratorExhausted(Rule):
    """An iterator that is used up in the first epoch is read again in the next.

    ## What it finds
    A generator, ``iter()``, ``zip()``, ``map()``, ``filter()`` or ``enumerate()`` that is created before a loop
    over epochs and iterated inside it; and ``model.parameters()`` in a variable that is read twice.

    ## Why it hurts
    After the first pass it yields nothing more: later epochs train on no batch at all, gradients are not clipped,
    or the second optimizer gets no parameters.

    ## Example
    ```python
    batches = zip(inputs, targets)
    for epoch in range(10):
        for x, y in batches:
            train_step(x, y)
    ```

    ## Use instead
    ```python
    for epoch in range(10):
        for x, y in zip(inputs, targets):
            train_step(x, y)
    ```

    ## Known problems
    An iterator that never ends is not reported when it is read by ``next()``.

    ## Fix safety
    No fix is offered for generators; call the function in the loop.

    ## References
    Python glossary: iterator.
    """

    name = "iterator-exhausted"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("loop", "data")
    words = ("for ",)
    faulty = (
        """\
import torch

def batches(x, y, size):
    for start in range(0, len(x), size):
        yield x[start : start + size], y[start : start + size]

def train(model, x, y, optimizer, criterion):
    stream = batches(x, y, 32)
    for epoch in range(10):
        for features, labels in stream:
            optimizer.zero_grad()
            criterion(model(features), labels).backward()
            optimizer.step()
""",
        """\
import torch

def train(model, loader, criterion):
    parameters = model.parameters()
    optimizer = torch.optim.Adam(parameters, lr=1e-3)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
""",
    )
    clean = (
        """\
import torch

def batches(x, y, size):
    while True:
        yield x[:size], y[:size]

def train(model, loader, x, y, optimizer, criterion):
    parameters = list(model.parameters())
    stream = batches(x, y, 32)
    pairs = list(zip(x, y))
    for epoch in range(10):
        features, labels = next(stream)
        for features, labels in pairs:
            criterion(model(features), labels).backward()
        ordered = enumerate(loader)
        for index, batch in ordered:
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        yield from self._read_in_loops(program)
        yield from self._parameters_read_twice(program)

    def _read_in_loops(self, program: Program) -> Iterator[Finding]:
        for loop in program.nodes[ast.For]:
            if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Name | ast.Attribute):
                continue
            made = assigned(program, loop.iter)
            outer = next(iter(loops_around(program, loop)), None)
            if made is None or outer is None or made.lineno >= outer.lineno or not _is_used_up(program, made):
                continue
            if not _set_again(outer, dotted(loop.iter)) and not _ends_early(loop):
                name = dotted(loop.iter)
                message = (
                    f"{name} is used up after the first iteration of the loop in line {outer.lineno}: make it there"
                )
                yield self.finding(program, made, message)

    def _parameters_read_twice(self, program: Program) -> Iterator[Finding]:
        for call in program.called("parameters"):
            statement = program.parents.get(call)
            if not isinstance(statement, ast.Assign) or statement.value is not call or len(statement.targets) != 1:
                continue
            name = dotted(statement.targets[0])
            if name and _reads(program, name, statement) > 1 and len(program.assignments.get(name, ())) == 1:
                message = (
                    f"{name} is a generator that only its first reader gets: write list({program.source.segment(call)})"
                )
                yield self.finding(program, call, message)


_USED_UP = {"zip", "map", "filter", "enumerate", "iter", "reversed"}


def _is_used_up(program: Program, made: ast.expr) -> bool:
    """Whether what is made can be iterated once only."""
    if isinstance(made, ast.GeneratorExp):
        return True
    if not isinstance(made, ast.Call):
        return False
    if isinstance(made.func, ast.Name) and made.func.id in _USED_UP:
        return True
    return isinstance(made.func, ast.Name) and any(
        _yields_to_an_end(function) for function in functions_by_name(program).get(method_of(made), ())
    )


def _yields_to_an_end(function: ast.AST) -> bool:
    parts = list(walk_here(getattr(function, "body", [])))
    endless = any(isinstance(part, ast.While) and isinstance(part.test, ast.Constant) for part in parts)
    wrapped = bool(getattr(function, "decorator_list", ()))
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for part in parts) and not endless and not wrapped


def _set_again(loop: ast.AST, name: str) -> bool:
    return any(name == dotted(target) for part in walk_here(loop) for target in targets_of(part))


def _ends_early(loop: ast.For) -> bool:
    """A loop that is left on purpose goes on where it stopped."""
    return any(isinstance(part, ast.Break | ast.Return) for part in walk_here(loop))


def _reads(program: Program, name: str, made: ast.AST) -> int:
    scope = scope_of(program, made)
    return sum(
        1
        for kind in (ast.Name, ast.Attribute)
        for node in program.nodes[kind]
        if dotted(node) == name
        and isinstance(getattr(node, "ctx", None), ast.Load)
        and scope_of(program, node) is scope
    )
