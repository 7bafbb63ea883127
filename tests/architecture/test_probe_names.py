"""What a probe asks of another probe's module is there: nothing else notices a wrong name before a program runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PROBES = Path(__file__).resolve().parents[2] / "src" / "bugloss" / "probes" / "observe"


def test_names_asked_of_another_module_are_bound_there() -> None:
    wrong = [
        f"{path.relative_to(PROBES)}:{line}: {module.stem}.{name}"
        for path in sorted(PROBES.rglob("*.py"))
        for module, name, line in asked(path)
        if name not in bound(module)
    ]
    assert wrong == []


def asked(path: Path) -> Iterator[tuple[Path, str, int]]:
    """Attributes of neighbouring modules: ``scopes.layer_numbers``, ``neighbour("torch.properties").TorchProperties``."""
    tree = ast.parse(path.read_text())
    modules = dict(neighbours(tree, path))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        if isinstance(node.value, ast.Name) and node.value.id in modules:
            yield modules[node.value.id], node.attr, node.lineno
        elif isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "core.neighbour":
            named = node.value.args[0]
            if isinstance(named, ast.Constant):
                yield module_file(str(named.value)), node.attr, node.lineno


def module_file(name: str) -> Path:
    path = PROBES.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def neighbours(tree: ast.Module, path: Path) -> Iterator[tuple[str, Path]]:
    """Modules of the probe that a file imports at its top, by the names that it gives them."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for alias in node.names:
                if (folder / f"{alias.name}.py").is_file():
                    yield alias.asname or alias.name, folder / f"{alias.name}.py"


def bound(path: Path) -> set[str]:
    """Names that a module binds, at its top or by a ``global`` statement."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names
