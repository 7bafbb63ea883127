"""One name, one thing: a public class is called like no other class of the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src" / "bugloss"
# A fault has one name, whoever finds it: the rule, the detector and the cause.
FAULTS = ("check/rules/", "observe/detectors/", "observe/causes/")
ALLOWED = {
    "BuglossCallback": "users of each trainer library import it from that library's adapter, where callbacks are named so"
}
# To be renamed; whoever does so takes the name off this list.
STILL_SHARED = {"Example", "Origin", "Told"}


def shared_names() -> dict[str, list[str]]:
    """Names that several classes have, and the files that define them."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        file = path.relative_to(SOURCE).as_posix()
        for node in ast.parse(path.read_text()).body if "template/" not in file else ():
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(file)
    return {name: files for name, files in homes.items() if len(files) > 1 and not _one_fault(files)}


def _one_fault(files: list[str]) -> bool:
    kinds = [next((kind for kind in FAULTS if file.startswith(kind)), None) for file in files]
    return None not in kinds and len(set(kinds)) == len(kinds)


def test_no_two_public_classes_have_one_name() -> None:
    assert {name: files for name, files in shared_names().items() if name not in ALLOWED.keys() | STILL_SHARED} == {}


def test_no_exception_outlives_its_reason() -> None:
    assert (ALLOWED.keys() | STILL_SHARED) - shared_names().keys() == set()
