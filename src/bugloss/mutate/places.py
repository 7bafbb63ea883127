"""Where a program names its training data, its settings and its layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of, stored, walk
from bugloss.source.training.trainings import Training, TrainingStyle, trainings, written_trainings

_DATA_SETS = {"torch.utils.data.TensorDataset"}


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Two variables that a training takes its samples from, and the statement before which they can be changed."""

    inputs: str
    targets: str
    before: ast.stmt


def training_sets(module: SourceModule) -> list[TrainingSet]:
    """The training data of a file, as far as they are plain variables; each pair once."""
    found = [*_fitted(module), *_wrapped(module), *_whole_batches(module)]
    return list({(one.inputs, one.targets, one.before.lineno): one for one in found}.values())


def _fitted(module: SourceModule) -> Iterator[TrainingSet]:
    for training in trainings(module):
        if training.style is TrainingStyle.FIT and isinstance(training.node, ast.Call):
            call = training.node
            given = [*call.args[:2], keyword_of(call, "x"), keyword_of(call, "y")]
            yield from _pair(module, call, [one for one in given if one is not None])


def _wrapped(module: SourceModule) -> Iterator[TrainingSet]:
    """The first data set of tensors in a file: the later ones are mostly for validation."""
    calls = [call for call in module.called("TensorDataset") if module.names.qualified(call.func) in _DATA_SETS]
    for call in calls[:1]:
        yield from _pair(module, call, call.args)


def _whole_batches(module: SourceModule) -> Iterator[TrainingSet]:
    """Loops that train on all samples at once: inputs and targets are named in the loop and made before it."""
    for training in written_trainings(module):
        if training.style is not TrainingStyle.BACKWARD or training.loop is None:
            continue
        outermost = training.outer[-1] if training.outer else training.loop
        changed = {name for node in walk(outermost) for name in _stored_by(node)}
        for given in _loss_arguments(training):
            names = [one.id for one in given if isinstance(one, ast.Name)]
            if len(names) == 2 and not changed & set(names):
                yield TrainingSet(names[0], names[1], outermost)


def _stored_by(node: ast.AST) -> set[str]:
    return {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else stored(node)


def _loss_arguments(training: Training) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Inputs and targets of ``loss(model(inputs), targets)``."""
    for node in walk(training.node):
        if isinstance(node, ast.Call) and len(node.args) >= 2 and isinstance(node.args[0], ast.Call):
            inner = node.args[0]
            if len(inner.args) == 1 and method_of(inner) not in {"range", "zip"}:
                yield inner.args[0], node.args[1]


def _pair(module: SourceModule, call: ast.Call, given: list[ast.expr]) -> Iterator[TrainingSet]:
    statement = module.enclosing(call, ast.stmt)
    names = [one.id for one in given if isinstance(one, ast.Name)]
    if len(given) == 2 and len(names) == 2 and isinstance(statement, ast.stmt):
        yield TrainingSet(names[0], names[1], statement)


def settings(module: SourceModule, *names: str) -> Iterator[ast.Constant]:
    """Positive numbers that are given to one of these names: as keyword, default or assigned constant."""
    for name, value in [*_keywords(module), *_defaults(module), *_assigned(module)]:
        number = value.value if isinstance(value, ast.Constant) else None
        if name.lower() in names and isinstance(number, int | float) and not isinstance(number, bool) and number > 0:
            assert isinstance(value, ast.Constant)
            yield value


def switches(module: SourceModule, name: str, state: bool) -> Iterator[ast.expr]:
    """Where ``name=True`` or ``name=False`` is passed."""
    for given, value in _keywords(module):
        if given == name and isinstance(value, ast.Constant) and value.value is state:
            yield value


def _keywords(module: SourceModule) -> Iterator[tuple[str, ast.expr]]:
    for node in module.nodes[ast.keyword]:
        if isinstance(node, ast.keyword) and node.arg is not None:
            yield node.arg, node.value


def _defaults(module: SourceModule) -> Iterator[tuple[str, ast.expr]]:
    for node in module.nodes[ast.arguments]:
        if isinstance(node, ast.arguments):
            positional = [*node.posonlyargs, *node.args]
            for argument, value in zip(positional[len(positional) - len(node.defaults) :], node.defaults, strict=True):
                yield argument.arg, value
            for argument, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
                if default is not None:
                    yield argument.arg, default


def _assigned(module: SourceModule) -> Iterator[tuple[str, ast.expr]]:
    for node in module.nodes[ast.Assign]:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value


def made(module: SourceModule, package: str, *names: str) -> Iterator[ast.Call]:
    """Calls of a framework's classes or functions: ``made(module, "torch.nn", "Linear")``."""
    wanted = {f"{package}.{name}" for name in names}
    for call in module.called(*names):
        if module.names.qualified(call.func) in wanted:
            yield call


def argument(call: ast.Call, name: str) -> ast.keyword | None:
    """The keyword argument of that name."""
    return next((one for one in call.keywords if one.arg == name), None)


def imported_as(module: SourceModule, package: str) -> str:
    """Under which name a file uses a package; empty where it does not."""
    return next((name for name, full in module.names.imported.items() if full == package), "")
