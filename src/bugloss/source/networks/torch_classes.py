"""The ``nn.Module`` classes that a file defines, and what is known of the networks it makes."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bugloss.core.network.layer import has_weights, layer
from bugloss.source.text.syntax import dotted, targets_of, walk, walk_here

if TYPE_CHECKING:
    from bugloss.source.program import Program

_LIGHTNING = ("lightning.", "pytorch_lightning.")
# Of torchvision's networks these have neither dropout nor batch normalisation.
_PLAIN_VISION = ("vit_", "swin", "convnext")


@dataclass(slots=True, eq=False)
class TorchClass:
    """A network class: its methods, the modules of the framework and of the file that it makes."""

    node: ast.ClassDef
    methods: dict[str, ast.FunctionDef]
    direct: bool  # nn.Module itself is among its bases
    makes: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        return self.node.name


def torch_classes(program: Program) -> dict[str, TorchClass]:
    """Network classes of the file by name."""
    return program.remembered(_find_classes)


def made_networks(program: Program) -> dict[str, str]:
    """Variables (dotted) and the class or library function that made the network they hold."""
    return program.remembered(_find_networks)


def is_parametric(short: str) -> bool:
    """Whether a class of ``torch.nn`` has weights, by its short name."""
    return has_weights(short, "torch")


def methods_of_forward(class_: TorchClass) -> list[ast.FunctionDef]:
    """``forward`` and the methods of the class that it calls, directly or through others."""
    found: list[ast.FunctionDef] = []
    waiting = ["forward"]
    while waiting:
        method = class_.methods.get(waiting.pop())
        if method is not None and method not in found:
            found.append(method)
            waiting += [
                node.func.attr
                for node in walk_here(method.body)
                if isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and dotted(node.func.value) == "self"
            ]
    return found


def mode_dependent(program: Program, variable: str | None = None) -> bool | None:
    """Whether a network computes otherwise in evaluation mode: it has dropout or batch normalisation.

    None where that is not known. Without a variable the question is whether any network of the file does.
    """
    made = made_networks(program).get(variable or "")
    if made is not None:
        return _class_depends(program, made, set())
    known = [
        _class_depends(program, name, set()) for name in (*torch_classes(program), *made_networks(program).values())
    ]
    return True if True in known else (None if None in known or not known else False)


def _class_depends(program: Program, name: str, seen: set[str]) -> bool | None:
    if name in seen:
        return False
    seen.add(name)
    class_ = torch_classes(program).get(name)
    if class_ is not None:
        parts = [_class_depends(program, part, seen) for part in class_.makes]
        inherited = (
            None
            if not class_.direct and not any(dotted(base) in torch_classes(program) for base in class_.node.bases)
            else False
        )
        return True if True in parts else (None if None in (*parts, inherited) else False)
    short = name.rsplit(".", 1)[-1]
    if name.startswith("torch.nn."):
        if short.startswith("Transformer"):
            return True
        known = layer(short, "torch")  # of the function dropout, too
        return known is not None and known.depends_on_mode
    if name.startswith("torchvision.models."):
        return not short.startswith(_PLAIN_VISION)
    return None


def _find_classes(program: Program) -> dict[str, TorchClass]:
    found: dict[str, TorchClass] = {}
    for node in program.nodes[ast.ClassDef]:
        if not isinstance(node, ast.ClassDef):
            continue
        bases = [program.names.qualified(base) or "" for base in node.bases]
        direct = "torch.nn.Module" in bases
        lightning = any(name.startswith(_LIGHTNING) and name.endswith("LightningModule") for name in bases)
        if direct or lightning or any(dotted(base) in found for base in node.bases):
            methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
            found[node.name] = TorchClass(node, methods, direct)
    for class_ in found.values():
        class_.makes = _made_inside(program, class_, found)
    return found


def _made_inside(program: Program, class_: TorchClass, found: dict[str, TorchClass]) -> set[str]:
    """Modules that the class makes itself, or by functions of the file that it calls."""
    names = {dotted(base) for base in class_.node.bases} & found.keys()
    helpers = {node.name: node for node in program.tree.body if isinstance(node, ast.FunctionDef)}
    waiting: list[ast.AST] = [class_.node]
    while waiting:
        for node in walk(waiting.pop()):
            if not isinstance(node, ast.Call):
                continue
            name, qualified = dotted(node.func), program.names.qualified(node.func) or ""
            if qualified.startswith(("torch.nn.", "torchvision.models.")):
                names.add(qualified)
            elif name in found:
                names.add(name)
            elif name in helpers:
                waiting.append(helpers.pop(name))
    return names


def _find_networks(program: Program) -> dict[str, str]:
    made: dict[str, str] = {}
    for node in program.nodes[ast.Assign]:
        if isinstance(node, ast.Assign):
            name = _network_made(program, node.value)
            for target in targets_of(node):
                if name and dotted(target):
                    made[dotted(target)] = name
    return made


def _network_made(program: Program, value: ast.expr) -> str | None:
    """The maker behind ``Net(…)`` or ``Net(…).to(device)``."""
    while isinstance(value, ast.Call):
        if dotted(value.func) in torch_classes(program):
            return dotted(value.func)
        qualified = program.names.qualified(value.func) or ""
        short = qualified.rsplit(".", 1)[-1]
        if qualified.startswith("torchvision.models.") and short.islower():
            return qualified
        if qualified.startswith("torch.nn.") and is_parametric(short):
            return qualified
        if not (
            isinstance(value.func, ast.Attribute)
            and value.func.attr in {"to", "cuda", "cpu", "double", "float", "half"}
        ):
            return None
        value = value.func.value
    return None
