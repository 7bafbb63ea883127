"""Who may import whom, and what ``import bugloss`` may load."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from package_source import SOURCE, trees

# A room imports itself, and besides only the rooms named here.
ALLOWED = {
    "core": set(),
    "probes": set(),
    "stacks": {"core"},
    "run": {"core", "probes", "stacks"},
    "verify": {"core", "probes"},
    "record": {"core"},
    "source": {"core"},
    "check": {"core", "source"},
    "observe": {"core", "source"},
    "adapters": {"core", "probes", "record"},
    "intake": {"core"},
    "triage": {"core", "adapters", "source"},
    "localize": {"core", "adapters"},
    "mine": {"core"},
    "mutate": {"core", "source", "verify"},
    "evaluate": {"core"},
    "study": {"core", "triage"},
    "reproduce": {"core", "check", "source"},
    "repair": {"core", "source", "check", "observe", "verify"},
    "corpus": {"core", "probes", "stacks"},
    "workflows": {
        *("core", "stacks", "run", "verify", "record", "corpus", "source", "check", "observe", "probes", "adapters"),
        *("intake", "triage", "study", "reproduce", "repair", "localize", "evaluate", "mine", "mutate"),
    },
    "show": {
        *("core", "stacks", "run", "verify", "record", "corpus", "source", "check", "observe"),
        *("workflows", "triage", "study", "evaluate", "mine", "mutate"),
    },
}
FRAMEWORKS = {"torch", "tensorflow", "keras", "jax", "lightning", "transformers"}
HEAVY = FRAMEWORKS | {"numpy", "scipy", "sklearn", "pandas", "pydantic", "sqlalchemy", "lightgbm", "rich"}
HEAVY |= {"jinja2"}
MAY_IMPORT_FRAMEWORKS = {"adapters", "probes"}


@cache
def modules() -> list[tuple[str, str, ast.Module]]:
    """Every module of the package: room, dotted name, syntax tree."""
    return [
        (parts[0], ".".join(("bugloss", *parts)).removesuffix(".__init__"), tree)
        for file, tree in trees().items()
        if len(parts := file.removesuffix(".py").split("/")) > 1
    ]


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(name: str) -> str | None:
    parts = name.split(".")
    return parts[1] if parts[0] == "bugloss" and len(parts) > 1 and (SOURCE / parts[1]).is_dir() else None


def test_imports_are_absolute_but_in_the_package_that_runs_under_another_name() -> None:
    relative = {
        name
        for _, name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
    }
    assert all(name.startswith("bugloss.probes.observe") for name in relative), relative


def test_every_room_stands_in_the_table() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file()}
    assert rooms == set(ALLOWED)


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_a_room_imports_only_the_rooms_that_the_table_allows(room: str) -> None:
    wrong = [
        f"{name} imports {target}"
        for owner, name, tree in modules()
        if owner == room
        for target in imported(tree)
        if room_of(target) not in {None, room, *ALLOWED[room]}
    ]
    assert wrong == []


def test_no_rooms_import_each_other_in_a_circle() -> None:
    def reachable(room: str, seen: frozenset[str] = frozenset()) -> set[str]:
        return {room} | {far for near in ALLOWED[room] - seen for far in reachable(near, seen | {near})}

    circular = [room for room in ALLOWED if any(room in reachable(other) for other in ALLOWED[room])]
    assert circular == []


def test_no_module_imports_itself_through_others() -> None:
    """Imports inside functions and for types alone count too: what needs each other is one module, or has a protocol."""
    edges = {name: set(_modules_imported(name, tree)) for _, name, tree in modules()}
    assert [circle for name in edges if (circle := _way(edges, name, name))] == []


@pytest.mark.parametrize(
    "importing",
    [
        "from {b} import Thing",
        "import {b}",
        "def late():\n    from {b} import Thing",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from {b} import Thing",
    ],
)
def test_a_circle_of_any_kind_of_import_is_seen(importing: str) -> None:
    one, two = "bugloss.core.run", "bugloss.core.trial"
    edges = {
        one: set(_modules_imported(one, ast.parse(importing.format(b=two)))),
        two: set(_modules_imported(two, ast.parse(f"from {one} import Run"))),
    }
    assert _way(edges, one, one) == [one, two, one]


def _way(edges: Mapping[str, set[str]], start: str, goal: str) -> list[str]:
    """The shortest way along imports, else nothing."""
    ways, seen = [[start]], set()
    for way in ways:  # it grows meanwhile
        for target in sorted(edges.get(way[-1], set()) - seen):
            if target == goal:
                return [*way, target]
            seen.add(target)
            ways.append([*way, target])
    return []


def _modules_imported(name: str, tree: ast.Module) -> Iterator[str]:
    """The modules of the package that a module names anywhere; of a package only what it takes from there itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (module for alias in node.names if (module := _known(name, alias.name)))
        elif isinstance(node, ast.ImportFrom):
            origin = _known(name, _absolute(name, node))
            yield from (
                f"{origin}.{alias.name}" if _is_module(f"{origin}.{alias.name}") else origin
                for alias in node.names
                if origin
            )


def _absolute(name: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = name if (SOURCE.parent / Path(*name.split("."))).is_dir() else name.rpartition(".")[0]
    parts = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])


def _known(name: str, target: str) -> str | None:
    """A module of the package by the name that it is imported under: probes name their neighbours without it."""
    if name.startswith("bugloss.probes.") and _is_module(f"bugloss.probes.{target}"):
        return f"bugloss.probes.{target}"
    return target if _is_module(target) else None


@cache
def _is_module(name: str) -> bool:
    place = SOURCE.parent / Path(*name.split("."))
    return name.startswith("bugloss.") and (place.with_suffix(".py").is_file() or (place / "__init__.py").is_file())


def test_only_adapters_and_probes_import_a_framework() -> None:
    wrong = [
        f"{name} imports {target}"
        for room, name, tree in modules()
        if room not in MAY_IMPORT_FRAMEWORKS
        for target in imported(tree)
        if target.split(".")[0] in FRAMEWORKS
    ]
    assert wrong == []


def _neighbours(room: str) -> set[str]:
    """Probe files lie side by side in a subject's folder and import each other by their plain names."""
    return {path.stem for path in (SOURCE / "probes").glob("*.py")} if room == "probes" else set()


def test_probes_and_core_import_the_standard_library_alone() -> None:
    wrong = [
        f"{name} imports {target}"
        for room, name, tree in modules()
        if room in {"probes", "core"}
        for target in imported(tree)
        if target.split(".")[0] not in {*sys.stdlib_module_names, "bugloss", *_neighbours(room)}
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "statement", ["import bugloss", "import bugloss; bugloss.corpus.load", "import bugloss.show.cli.main"]
)
def test_importing_loads_nothing_heavy(statement: str) -> None:
    code = f"{statement}; import sys; print([name for name in {sorted(HEAVY)!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_help_page_is_answered_without_loading_the_command_line_library() -> None:
    code = (
        "import sys; from bugloss.show.cli.main import main; main(['--help']);"
        "sys.exit(any(name in sys.modules for name in ('typer', 'rich')))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_rooms_do_not_print() -> None:
    wrong = [
        f"{name}:{node.lineno}"
        for room, name, tree in modules()
        if room not in {"show", "probes"}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert wrong == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    vague = {"utils", "helpers", "common", "misc", "manager", "handler"}
    assert [name for _, name, _ in modules() if name.rsplit(".", 1)[-1] in vague] == []
