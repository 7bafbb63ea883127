"""Operators that change how weights are updated."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType
from bugloss.mutate.contract import FaultLabels, MutationExample, MutationGroup, MutationOperator
from bugloss.mutate.places import argument, made
from bugloss.source.editing import add_argument, delete_statement, replace_last_word, replace_node
from bugloss.source.text.module import SourceModule

_LABELS = FaultLabels(
    Category.TRAINING, BugType.WRONG_OPTIMISATION_FUNCTION, GeneralType.API_MISUSE, FixPattern.OPTIMIZER
)
_CONTRACT = FaultLabels(Category.TRAINING, BugType.MISSING_API_CALL, GeneralType.API_MISUSE, FixPattern.API_CONTRACT)
# What every optimizer takes; the next one has only these.
_COMMON = {"params", "lr", "learning_rate", "weight_decay", "clipnorm", "clipvalue"}
_OTHERS = {"Adam": "SGD", "AdamW": "SGD", "RMSprop": "SGD", "NAdam": "SGD", "Nadam": "SGD", "SGD": "Adagrad"}
_WITH_MOMENTUM = {"SGD": "RMSprop", "RMSprop": "SGD"}
_TORCH, _KERAS = "import torch\n", "import keras\n"
_ADAM = "optimizer = torch.optim.Adam(net.parameters(), lr=0.01)\n"
_CLIPPED = "torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n"
_TIGHT = "1e-05"  # of a norm: steps become too short to learn


class ChangeOptimizer(MutationOperator):
    """Another optimizer with the same rate."""

    name, deepcrime, group, labels = "change-optimizer", "OCH", MutationGroup.OPTIMIZER, _LABELS
    examples = (
        MutationExample(_TORCH + _ADAM, _TORCH + _ADAM.replace("Adam", "SGD")),
        MutationExample(
            _TORCH + "o = torch.optim.SGD(p, lr=0.1, momentum=0.9)\n",
            _TORCH + "o = torch.optim.RMSprop(p, lr=0.1, momentum=0.9)\n",
        ),
        MutationExample(_KERAS + 'model.compile(optimizer="adam")\n', _KERAS + 'model.compile(optimizer="sgd")\n'),
    )
    untouched = (_TORCH + "o = torch.optim.Adam(p, betas=(0.5, 0.9))\n", _KERAS + "model.compile(optimizer=mine)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for package in ("torch.optim", "keras.optimizers"):
            for call in made(module, package, *_OTHERS):
                settings = {str(one.arg) for one in call.keywords} - _COMMON
                others = _OTHERS if not settings else _WITH_MOMENTUM if settings == {"momentum"} else {}
                if isinstance(call.func, ast.Attribute) and call.func.attr in others:
                    yield replace_last_word(module, call.func, others[call.func.attr])
        for call in module.called("compile"):
            given = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "optimizer")]
            for value in given:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield replace_node(module, value, '"adagrad"' if value.value.lower() == "sgd" else '"sgd"')


class ChangeGradientClipping(MutationOperator):
    """Gradients are clipped to almost nothing."""

    name, deepcrime, group, labels = "change-gradient-clipping", "OCG", MutationGroup.OPTIMIZER, _LABELS
    examples = (
        MutationExample(_TORCH + _CLIPPED, _TORCH + _CLIPPED.replace("1.0", _TIGHT)),
        MutationExample(
            _KERAS + "o = keras.optimizers.SGD(0.1)\n", _KERAS + f"o = keras.optimizers.SGD(0.1, clipnorm={_TIGHT})\n"
        ),
    )
    untouched = (_TORCH + _ADAM, _KERAS + "o = keras.optimizers.schedules.CosineDecay(0.1, 100)\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in made(module, "torch.nn.utils", "clip_grad_norm_", "clip_grad_value_"):
            if len(call.args) > 1:
                yield replace_node(module, call.args[1], _TIGHT)
        for call in made(module, "keras.optimizers", *_OTHERS):
            given = argument(call, "clipnorm")
            text = f"clipnorm={_TIGHT}"
            edit = replace_node(module, given, text) if given else add_argument(module, call, text)
            if edit is not None and not argument(call, "clipvalue"):
                yield edit


class KeepGradients(MutationOperator):
    """Gradients of earlier batches are not cleared."""

    name, group, labels = "keep-gradients", MutationGroup.OPTIMIZER, _CONTRACT
    examples = (
        MutationExample("optimizer.zero_grad()\nloss.backward()\n", "loss.backward()\n"),
        MutationExample("for x in data:\n    net.zero_grad()\n    step(x)\n", "for x in data:\n    step(x)\n"),
    )
    untouched = ("loss.backward()\n", "clear = optimizer.zero_grad\n")

    def edits(self, module: SourceModule) -> Iterator[Edit]:
        for call in module.called("zero_grad"):
            statement = module.parents.get(call)
            if isinstance(statement, ast.Expr):
                yield delete_statement(module, statement)


OPERATORS: tuple[MutationOperator, ...] = (ChangeOptimizer(), ChangeGradientClipping(), KeepGradients())
