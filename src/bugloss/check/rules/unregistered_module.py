"""unregistered-module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import TorchClass, is_parametric, torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, method_of, receiver_of, walk, walk_here


class UnregisteredModule(Rule):
    """Layers are stored in a plain list or dict and are not registered.

    ## What it finds
    Layers with weights that ``__init__`` of a network puts into a plain list, tuple or dict attribute.

    ## Why it hurts
    ``parameters()``, ``to()`` and ``state_dict()`` do not include them: the optimizer never trains them, they stay on
    the CPU, and checkpoints do not contain them.

    ## Example
    ```python
    self.layers = [nn.Linear(8, 8) for _ in range(3)]
    ```

    ## Use instead
    ```python
    self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
    ```

    ## Known problems
    Networks that are hidden on purpose (a frozen teacher in a list) are not reported if they are passed as arguments.

    ## Fix safety
    Suggested: the keys of the state dict and the number of trained weights change.

    ## References
    PyTorch documentation, torch.nn.ModuleList.
    """

    name = "unregistered-module"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("model",)
    words = ("Module",)
    faulty = (
        """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(3)]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
""",
        """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = []
        for _ in range(3):
            self.layers.append(nn.Linear(8, 8))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
""",
    )
    clean = (
        """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self, teacher):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 8)
        self.order = [self.first, self.second]
        self.hidden_from_optimizer = [teacher]
        self.activations = [nn.ReLU(), nn.Tanh()]
        self.rest = nn.ModuleList([nn.Linear(8, 8)])
""",
        """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = []
        for i in range(3):
            layer = nn.Linear(8, 8)
            self.add_module(str(i), layer)
            self.layers.append(layer)
        self.body = [nn.Linear(8, 8), nn.ReLU()]
        self.body = nn.Sequential(*self.body)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
""",
        1: """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(3):
            self.layers.append(nn.Linear(8, 8))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for class_ in torch_classes(program).values():
            initialiser = class_.methods.get("__init__")
            if initialiser is None or not initialiser.args.args:
                continue
            if class_.node in program.remembered(_registering):
                continue
            for node in walk_here(initialiser.body):
                hidden = _hidden(program, node, initialiser.args.args[0].arg)
                if hidden is not None and not _wrapped(class_, hidden[0]):
                    name, made = hidden
                    message = (
                        f"{made} in the plain {_container(node)} {name} is hidden from parameters() and state_dict()"
                    )
                    yield self.finding(program, node, message, fix=_fix(program, node))


def _registering(program: Program) -> set[ast.AST | None]:
    """Classes that register modules by hand, anywhere inside."""
    return {
        program.enclosing(call, ast.ClassDef) for call in program.called("add_module", "register_module", "setattr")
    }


def _hidden(program: Program, node: ast.AST, this: str) -> tuple[str, str] | None:
    """The attribute and the kind of layer in ``self.x = [Linear()]`` or ``self.x.append(Linear())``."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, content = dotted(node.targets[0]), _contents(node.value)
    elif isinstance(node, ast.Call) and method_of(node) == "append" and len(node.args) == 1:
        target, content = dotted(receiver_of(node)), list(node.args)
    else:
        return None
    made = [short for part in content if (short := _layer(program, part))]
    if not made or not target.startswith(f"{this}."):
        return None
    return (target, made[0]) if isinstance(node, ast.Assign) or _is_plain_list(program, node, target) else None


def _contents(value: ast.expr) -> list[ast.expr]:
    if isinstance(value, (ast.List, ast.Tuple)):
        return value.elts
    if isinstance(value, ast.Dict):
        return value.values
    return [value.elt] if isinstance(value, ast.ListComp) else [value.value] if isinstance(value, ast.DictComp) else []


def _layer(program: Program, value: ast.expr) -> str | None:
    """The short name of the layer with weights that an expression makes."""
    if not isinstance(value, ast.Call):
        return None
    qualified = program.names.qualified(value.func) or ""
    short = qualified.rsplit(".", 1)[-1]
    if qualified == f"torch.nn.{short}" and is_parametric(short):
        return short
    if qualified == "torch.nn.Sequential":
        return next((inner for part in value.args if (inner := _layer(program, part))), None)
    class_ = torch_classes(program).get(dotted(value.func))
    return class_.name if class_ and any(is_parametric(name.rsplit(".", 1)[-1]) for name in class_.makes) else None


def _is_plain_list(program: Program, node: ast.AST, target: str) -> bool:
    """Whether the attribute was made as an empty list in the same method."""
    method = program.enclosing(node, ast.FunctionDef)
    made = [
        part.value
        for part in (walk_here(method.body) if isinstance(method, ast.FunctionDef) else ())
        if isinstance(part, ast.Assign) and dotted(part.targets[0]) == target
    ]
    return len(made) == 1 and isinstance(made[0], ast.List)


def _wrapped(class_: TorchClass, name: str) -> bool:
    """Whether the attribute is later put into a container that registers it, or handed to something unknown."""
    for node in walk(class_.node):
        if isinstance(node, ast.Call):
            for argument in node.args:
                content = argument.value if isinstance(argument, ast.Starred) else argument
                if dotted(content) == name and method_of(node) not in {"len", "enumerate", "zip", "reversed", "range"}:
                    return True
    return False


def _container(node: ast.AST) -> str:
    value = node.value if isinstance(node, ast.Assign) else None
    return (
        "dict" if isinstance(value, (ast.Dict, ast.DictComp)) else "tuple" if isinstance(value, ast.Tuple) else "list"
    )


def _empty_list(program: Program, append: ast.Call) -> ast.expr | None:
    """The ``[]`` to which a method appends, where it is made in the same method."""
    method, target = program.enclosing(append, ast.FunctionDef), dotted(receiver_of(append))
    for part in walk_here(method.body) if isinstance(method, ast.FunctionDef) else ():
        if isinstance(part, ast.Assign) and dotted(part.targets[0]) == target and isinstance(part.value, ast.List):
            return part.value if not part.value.elts else None
    return None


def _fix(program: Program, node: ast.AST) -> Fix | None:
    imported = {meaning: name for name, meaning in program.names.imported.items()}
    prefix = imported.get("torch.nn")
    if isinstance(node, ast.Call) and prefix is not None:
        made = _empty_list(program, node)
        text = f"{prefix}.ModuleList()"
        return replace_node(program, made, text, "make the list a ModuleList") if made is not None else None
    if not isinstance(node, ast.Assign) or not isinstance(node.value, (ast.List, ast.ListComp)) or prefix is None:
        return None
    text = f"{prefix}.ModuleList({program.source.segment(node.value)})"
    return replace_node(program, node.value, text, "register the layers in a ModuleList")
