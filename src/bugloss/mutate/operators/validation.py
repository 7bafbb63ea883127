"""Operators that change how a network is validated."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType
from bugloss.mutate.contract import FaultLabels, MutationExample, MutationGroup, MutationOperator
from bugloss.mutate.places import argument, switches
from bugloss.source.editing import delete_statement, remove_argument, replace_node
from bugloss.source.text.module import SourceModule

_MONITOR = FaultLabels(
    Category.TRAINING, BugType.PROBLEMATIC_EARLY_STOPPING, GeneralType.API_MISUSE, FixPattern.MONITOR
)
_MODE = FaultLabels(Category.API, BugType.MISSING_API_CALL, GeneralType.API_MISUSE, FixPattern.API_CONTRACT)
_DATA = ("validation_data", "validation_split")
_FIT = "import keras\nmodel.fit(x, y, validation_data=(a, b), epochs=9)\n"
_PLAIN = "import keras\nmodel.fit(x, y, epochs=9)\n"


class RemoveValidation(MutationOperator):
    """A training without validation samples."""

    name, deepcrime, group, labels = "remove-validation", "VRM", MutationGroup.VALIDATION, _MONITOR
    examples = (
        MutationExample(_FIT, _PLAIN),
        MutationExample("model.fit(x, y, epochs=9, validation_split=0.2)\n", "model.fit(x, y, epochs=9)\n"),
    )
    untouched = (_PLAIN, "scaler.fit(x)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in module.called("fit"):
            for given in filter(None, (argument(call, name) for name in _DATA)):
                yield remove_argument(module, call, given)


class ValidateOnTrainingData(MutationOperator):
    """The validation samples are the training samples."""

    name, group, labels = "validate-on-training-data", MutationGroup.VALIDATION, _MONITOR
    examples = (
        MutationExample(_FIT, _FIT.replace("(a, b)", "(x, y)")),
        MutationExample("model.fit(u, v, validation_data=held_out)\n", "model.fit(u, v, validation_data=(u, v))\n"),
    )
    untouched = (_PLAIN, "model.fit(data, validation_data=other)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in module.called("fit"):
            given = argument(call, "validation_data")
            if given is not None and len(call.args) == 2:
                samples = ", ".join(module.source.segment(one) for one in call.args)
                yield replace_node(module, given.value, f"({samples})")


class ValidateInTrainingMode(MutationOperator):
    """Dropout and normalisation behave as in training while the network is measured."""

    name, group, labels = "validate-in-training-mode", MutationGroup.VALIDATION, _MODE
    examples = (
        MutationExample("import torch\nmodel.eval()\nout = model(x)\n", "import torch\nout = model(x)\n"),
        MutationExample("y = model(x, training=False)\n", "y = model(x, training=True)\n"),
    )
    untouched = ("value = eval(text)\n", "y = model(x, training=True)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in module.called("eval"):
            statement = module.parents.get(call)
            if isinstance(call.func, ast.Attribute) and isinstance(statement, ast.Expr) and not call.args:
                yield delete_statement(module, statement)
        for value in switches(module, "training", False):
            yield replace_node(module, value, "True")


OPERATORS: tuple[MutationOperator, ...] = (RemoveValidation(), ValidateOnTrainingData(), ValidateInTrainingMode())
