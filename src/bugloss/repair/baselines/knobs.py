"""The settings of a training that can be turned without understanding the program: rates, sizes, names of parts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from bugloss.core.edit import Edit
from bugloss.core.network.activation import activation
from bugloss.core.network.optimizer import optimizer
from bugloss.source.editing import replace_node
from bugloss.source.project import Project
from bugloss.source.text.module import SourceModule


class KnobKind(Enum):
    """What a setting is."""

    RATE = "learning rate"
    BATCH = "batch size"
    EPOCHS = "epochs"
    PENALTY = "penalty"
    OPTIMIZER = "optimizer"
    ACTIVATION = "activation"


_NUMBERS = {
    "lr": KnobKind.RATE,
    "learning_rate": KnobKind.RATE,
    "batch_size": KnobKind.BATCH,
    "epochs": KnobKind.EPOCHS,
    "nb_epoch": KnobKind.EPOCHS,
    "num_epochs": KnobKind.EPOCHS,
    "weight_decay": KnobKind.PENALTY,
    "momentum": KnobKind.PENALTY,
}


@dataclass(frozen=True, slots=True)
class Knob:
    """One setting: what it is, its value as written, and its place."""

    kind: KnobKind
    value: str
    module: SourceModule
    node: ast.expr

    def turned(self, new: str) -> Edit | None:
        """The edit that writes another value; None where it is the same."""
        if new.lower() == self.value.lower():
            return None
        quote = self.module.source.segment(self.node)[:1]
        is_text = isinstance(self.node, ast.Constant) and isinstance(self.node.value, str)
        return replace_node(self.module, self.node, f"{quote}{new}{quote}" if is_text else new)

    def scaled(self, factor: float) -> Edit | None:
        """The edit that multiplies a number; whole numbers stay whole."""
        number = float(self.value) * factor
        return self.turned(f"{max(round(number), 1)}" if self.kind in _WHOLE else f"{number:.6g}")


_WHOLE = {KnobKind.BATCH, KnobKind.EPOCHS}


def knobs(project: Project) -> list[Knob]:
    """Every setting of a program, in the order of its files and lines."""
    found = [knob for module in project.modules() for knob in _of_module(module)]
    return sorted(found, key=lambda knob: (knob.module.path, knob.node.lineno, knob.node.col_offset))


def _of_module(module: SourceModule) -> Iterator[Knob]:
    for node in module.nodes[ast.keyword]:
        if isinstance(node, ast.keyword) and node.arg is not None:
            yield from _named(module, node.arg, node.value)
    for node in module.nodes[ast.Assign]:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            yield from _named(module, node.targets[0].id.lower(), node.value)
    for node in module.nodes[ast.Attribute]:
        if isinstance(node, ast.Attribute):
            yield from _part(module, node)


def _named(module: SourceModule, name: str, value: ast.expr) -> Iterator[Knob]:
    if not isinstance(value, ast.Constant):
        return
    kind, written = _NUMBERS.get(name), value.value
    if kind is not None and isinstance(written, int | float) and not isinstance(written, bool) and written > 0:
        yield Knob(kind, str(written), module, value)
    elif name == "optimizer" and isinstance(written, str):
        yield Knob(KnobKind.OPTIMIZER, written, module, value)
    elif name == "activation" and isinstance(written, str):
        yield Knob(KnobKind.ACTIVATION, written, module, value)


def _part(module: SourceModule, node: ast.Attribute) -> Iterator[Knob]:
    """Optimizers and activation layers that are made by their class: ``optim.SGD(…)``, ``nn.ReLU()``."""
    call = module.parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        return
    owner = module.source.segment(node.value)
    if owner.endswith(("optim", "optimizers")) and optimizer(node.attr) is not None:
        yield Knob(KnobKind.OPTIMIZER, module.source.segment(node), module, node)
    elif owner.endswith("nn") and activation(node.attr) is not None and not call.args:
        yield Knob(KnobKind.ACTIVATION, module.source.segment(node), module, node)


def named_like(knob: Knob, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of parts, written as the setting writes its own: ``torch.optim.Adam`` beside ``torch.optim.SGD``."""
    if not isinstance(knob.node, ast.Attribute):
        return tuple(name.lower() for name in names)
    owner = knob.module.source.segment(knob.node.value)
    return tuple(f"{owner}.{name}" for name in names)
