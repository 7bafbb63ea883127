"""Stand-ins for packages that the environment lacks: small functions and classes in NumPy or PyTorch, as text.

The parts are in ``<package>.py.txt``. Only what a program uses is written into it, with what that part needs itself.
What merely draws, logs or shows progress becomes silent.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from bugloss.core.python_text import parse_python
from bugloss.reproduce.templates import render
from bugloss.reproduce.words import groups

_IMPORTS = {
    "np": "import numpy as np",
    "torch": "import torch",
    "types": "import types",
    "itertools": "import itertools",
    "os": "import os",
    "tf": "import tensorflow as tf",
}


@dataclass(frozen=True, slots=True)
class PackageStandIn:
    """Code that takes the place of an import; ``has_data`` where the package would have brought a data set."""

    code: str
    has_data: bool = False


def stand_in_for(statement: ast.Import | ast.ImportFrom, text: str) -> PackageStandIn | None:
    """The replacement of an import; None where there is no stand-in for all of it."""
    if isinstance(statement, ast.ImportFrom):
        root = (statement.module or "").split(".")[0]
        names = [(alias.name, alias.asname or alias.name) for alias in statement.names]
    else:
        root = statement.names[0].name.split(".")[0]
        names = [
            (alias.name.rpartition(".")[2] if alias.asname else root, alias.asname or root) for alias in statement.names
        ]
    if root in groups("libraries")["silent"]:
        return PackageStandIn(_silent([bound for _, bound in names], text))
    parts = _parts(root)
    if not parts:
        return None
    wanted, lines = [], []
    for name, bound in names:
        if name in parts:
            wanted.append(name)
            lines += [f"{bound} = {name}"] if bound != name else []
        else:
            used = _used(bound, parts, text)
            if used is None:
                return None
            wanted += [part for chain in used for part in chain[-1:]]
            lines.append(f"{bound} = {_namespace(used)}")
    needed = _needed(wanted, parts)
    imports = ["import types"] if any("types." in line for line in lines) else []
    code = "\n".join([*_definitions(needed, parts, text), *imports, *lines])
    return PackageStandIn(code, any(name.startswith("StandIn") for name in needed)) if code else None


def part(package: str, name: str, text: str) -> str:
    """The code of one part and all that it needs, but for what a program has already."""
    parts = _parts(package)
    return "\n".join(_definitions(_needed([name], parts), parts, text))


def names_of(statement: ast.Import | ast.ImportFrom) -> str:
    """What an import brings, in words."""
    return ", ".join(alias.asname or alias.name for alias in statement.names)


def _silent(names: list[str], text: str) -> str:
    known = [] if "class Silent:" in text else [render("silent")]
    return "\n".join([*known, *(f"{name} = Silent()" for name in names)])


@cache
def _parts(package: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The parts of a package's stand-in: the text of each, and the names of other parts that it needs."""
    path = files("bugloss.reproduce.stand_ins") / f"{package}.py.txt"
    if not path.is_file():
        return {}
    source = path.read_text(encoding="utf-8")
    lines = source.split("\n")
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    tree = parse_python(source)
    for node in tree.body:
        name = node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else None
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
        if name is not None:
            used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            used -= {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
            found[name] = ("\n".join(lines[node.lineno - 1 : node.end_lineno]), tuple(sorted(used - {name})))
    return found


def _used(bound: str, parts: dict[str, tuple[str, tuple[str, ...]]], text: str) -> list[tuple[str, ...]] | None:
    """The chains of attributes by which a module's parts are used; None where one of them has no stand-in."""
    found: dict[tuple[str, ...], None] = {}
    tree = parse_python(text)
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            chain = _chain(node)
            if chain and chain[0] == bound:
                known = next((place for place, word in enumerate(chain) if word in parts and place > 0), None)
                if known is None:
                    return None
                found[tuple(chain[1 : known + 1])] = None
    return list(found)


def _chain(node: ast.expr) -> list[str]:
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    return [node.id, *reversed(words)] if isinstance(node, ast.Name) else []


def _namespace(chains: list[tuple[str, ...]]) -> str:
    """Nested namespaces that hold the parts under the names by which they are used."""
    direct = sorted({chain[0] for chain in chains if len(chain) == 1})
    nested = sorted({chain[0] for chain in chains if len(chain) > 1})
    inner = [f"{name}={name}" for name in direct]
    inner += [
        f"{name}={_namespace([chain[1:] for chain in chains if len(chain) > 1 and chain[0] == name])}"
        for name in nested
    ]
    return f"types.SimpleNamespace({', '.join(inner)})"


def _needed(wanted: list[str], parts: dict[str, tuple[str, tuple[str, ...]]]) -> list[str]:
    """The parts and all that they need, what is needed first."""
    order: list[str] = []
    begun: set[str] = set()  # two parts may need each other

    def add(name: str) -> None:
        if name in parts and name not in begun:
            begun.add(name)
            for needed in parts[name][1]:
                add(needed)
            order.append(name)

    for name in dict.fromkeys(wanted):
        add(name)
    return order


def _definitions(order: list[str], parts: dict[str, tuple[str, tuple[str, ...]]], text: str) -> list[str]:
    """The code of parts that a program has not got yet; imports that they use on top."""
    code = [parts[name][0] for name in order if parts[name][0] not in text]
    needed = {word for name in order for word in parts[name][1]}
    imports = [statement for word, statement in _IMPORTS.items() if word in needed]
    return [*imports, *code]
