"""A public class of observe is found by its name alone: no other class of the package has it."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import bugloss

SOURCE = Path(bugloss.__path__[0])
# A detector, a rule and a cause may be named for one fault. Explanations of crashes and origins of values are not yet
# held to this.
MAY_SHARE = ("observe/detectors/", "observe/causes/", "check/rules/")
NOT_YET = ("observe/crash/", "observe/origin.py")


def test_public_class_names_of_observe_are_unique() -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for path in sorted(SOURCE.rglob("*.py")):
        where = path.relative_to(SOURCE).as_posix()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add("named for a fault" if where.startswith(MAY_SHARE) else where)
    shared = {name: sorted(found) for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in shared.items() if any(map(_held_to_it, found))} == {}


def _held_to_it(where: str) -> bool:
    return where.startswith("observe/") and not where.startswith(NOT_YET)
