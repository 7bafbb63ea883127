"""SWE-bench-style data: rows with ``instance_id``, ``repo``, ``base_commit``, ``patch`` and ``test_patch``.

The buggy program is the base commit with the patch of the tests, the fixed one has the patch as well. The project has
to be cloned. What an image of the benchmark installs is not in the data; requirements are taken where a row has them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from bugloss.core.documents import parse_json
from bugloss.core.foreign_bug import ForeignBug, ForeignLayout, ForeignTest, ProgramPlace, Runner
from bugloss.core.foreign_folder import content_of
from bugloss.corpus.foreign.contract import Reader, local_id, release_of
from bugloss.corpus.foreign.requirement_lines import requirement_lines
from bugloss.corpus.foreign.tables import rows_of

_NEEDED = {"instance_id", "repo", "base_commit", "patch"}
_ENDINGS = (".jsonl", ".json", ".parquet")
_MOST_TABLES = 200
_SKIPPED = {".git", "node_modules", "__pycache__", "tasks"}


def fits(root: Path) -> bool:
    return next(_rows(root), None) is not None


def read(root: Path, source: str) -> Iterator[ForeignBug]:
    taken: set[str] = set()
    for row in _rows(root):
        bug = _bug(source, row)
        if bug.id not in taken:
            taken.add(bug.id)
            yield bug


def _rows(root: Path) -> Iterator[Mapping[str, object]]:
    if root.is_file():
        tables = [(root.parent, root.name)]
    else:
        names = content_of(root, skip=lambda entry: entry.name in _SKIPPED).names
        tables = [(root, name) for name in names if name.endswith(_ENDINGS)][:_MOST_TABLES]
    for folder, name in tables:
        for row in rows_of(folder, name):
            if row.keys() < _NEEDED or not row.keys() >= _NEEDED:
                break  # another kind of table: its first row says so
            yield row


def _bug(source: str, row: Mapping[str, object]) -> ForeignBug:
    facts = {key: value for key, value in row.items() if isinstance(value, str)}
    name, repository, base = str(row["instance_id"]), facts.get("repo", ""), facts.get("base_commit", "")
    patch, test_patch = facts.get("patch", ""), facts.get("test_patch", "")
    failing = _names(row.get("FAIL_TO_PASS"))
    tests, problem = _tests(failing)
    listed = row.get("requirements")
    lines = [str(line) for line in listed] if isinstance(listed, list) else facts.get("requirements", "").splitlines()
    requirements, remarks = requirement_lines(lines)
    if "dockerfile" not in facts and not requirements:
        remarks = (*remarks, "the data name no packages: the environment is chosen from the program's imports")
    statement = facts.get("problem_statement", "")
    first = next((line.strip("# ") for line in statement.splitlines() if line.strip()), name)
    return ForeignBug(
        id=f"{source}-{local_id(name)}", source=source, layout=ForeignLayout.SWE_BENCH, title=first[:120],
        buggy=ProgramPlace(commit=base, patches=tuple(filter(None, (test_patch,)))),
        fixed=ProgramPlace(commit=base, patches=tuple(filter(None, (test_patch, patch)))),
        project=repository, url=f"https://github.com/{repository}", framework="",
        python=release_of(facts.get("python", "") or facts.get("dockerfile", "")), requirements=requirements,
        tests=tests, report=statement, remarks=remarks, obstacles=(problem,) if problem else (),
    )  # fmt: skip


def _names(value: object) -> list[str]:
    """A list, or JSON of one in a string, as the published data have it."""
    if isinstance(value, str):
        try:
            value = parse_json(value)
        except ValueError:
            value = [value]
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _tests(names: list[str]) -> tuple[tuple[ForeignTest, ...], str]:
    """Tests by pytest's names (``tests/test_a.py::test_b``) or unittest's (``test_b (package.module.Class)``)."""
    if not names:
        return (), "it names no test that fails before the patch (FAIL_TO_PASS)"
    if all(re.match(r"[^\s:]+\.py(::|$)", name) for name in names):
        return (ForeignTest(Runner.PYTEST, tuple(names)),), ""
    methods = [re.fullmatch(r"(\w+) \(([\w.]+)\)", name) for name in names]
    if all(methods):
        return (ForeignTest(Runner.UNITTEST, tuple(_dotted(match[1], match[2]) for match in methods if match)),), ""
    shown = json.dumps(names[0])[:80]
    return (), f"its test {shown} is named neither as pytest nor as unittest names tests"


def _dotted(method: str, place: str) -> str:
    """Since Python 3.11 the place contains the method's name."""
    return place if place.rpartition(".")[2] == method else f"{place}.{method}"


READER = Reader(fits, read)
