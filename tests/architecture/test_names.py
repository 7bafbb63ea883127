"""One name, one thing: a public class is called like no other class of the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from package_source import trees

# A fault has one name, whoever finds it: the rule, the detector and the cause.
FAULTS = ("check/rules/", "observe/detectors/", "observe/causes/")
ALLOWED = {
    "BuglossCallback": "users of each trainer library import it from that library's adapter, where callbacks are named so"
}
# To be renamed; whoever does so takes the name off this list.
STILL_SHARED: set[str] = set()


def shared_names() -> dict[str, list[str]]:
    """Names that several classes have, and the files that define them."""
    homes: dict[str, list[str]] = defaultdict(list)
    for file, tree in trees().items():
        for node in tree.body:
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


def test_how_a_run_ended_is_spelled_in_one_place() -> None:
    """``Outcome`` of ``core/run.py`` is the only vocabulary; a word of its own in another room drifts away from it."""
    words = {"crashed", "timeout", "timed-out", "timed out", "killed", "too-much-evidence"}
    # pip has an option of that name; in mutation testing a mutant is killed
    allowed = {"core/run.py", "run/pip_settings.py", "mutate/killing.py"}
    spelled = [
        f"{file}:{node.lineno}"
        for file, tree in trees().items()
        if file not in allowed
        for node in _whole_texts(tree)
        if node.value in words
    ]
    assert spelled == []


def _whole_texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """Constants, without the pieces of formatted sentences."""
    nodes: list[ast.AST] = [tree]
    for node in nodes:  # it grows meanwhile
        if isinstance(node, ast.Constant):
            yield node
        elif not isinstance(node, ast.JoinedStr):
            nodes.extend(ast.iter_child_nodes(node))
