"""gDefects4DL: a table with one row for each bug, which names two commits of a project (or branches) and a test file.

The benchmark ships it as ``Database.xml``; a table of the same facts in CSV or JSON is read as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from bugloss.core.foreign_bug import ForeignBug, ForeignLayout, ForeignTest, ProgramPlace, Runner
from bugloss.core.foreign_folder import content_of
from bugloss.corpus.foreign.contract import Reader, first_of, local_id, plain_key, release_of
from bugloss.corpus.foreign.requirement_lines import requirement_lines
from bugloss.corpus.foreign.tables import rows_of

_COMMIT = re.compile(r"\b[0-9a-f]{7,40}\b")
_MOST_TABLES = 200
_SKIPPED = {".git", "node_modules", "__pycache__"}


def fits(root: Path) -> bool:
    return next(_rows(root), None) is not None


def read(root: Path, source: str) -> Iterator[ForeignBug]:
    taken: dict[str, int] = {}
    for facts in _rows(root):
        bug = _bug(source, facts)
        taken[bug.id] = taken.get(bug.id, 0) + 1
        if taken[bug.id] == 1:
            yield bug


def _rows(root: Path) -> Iterator[dict[str, str]]:
    """Rows that name a buggy and a fixed state, from the tables of the folder or from the one table that it is."""
    for folder, name in _tables(root):
        for row in rows_of(folder, name):
            facts = {plain_key(str(key)): str(value) for key, value in row.items() if isinstance(value, str | int)}
            if _state(facts, "buggy", "bug") and _state(facts, "fix", "fixed"):
                yield facts


def _tables(root: Path) -> list[tuple[Path, str]]:
    if root.is_file():
        return [(root.parent, root.name)]
    names = content_of(root, skip=lambda entry: entry.name in _SKIPPED).names
    return [(root, name) for name in names if name.endswith((".xml", ".csv"))][:_MOST_TABLES]


def _state(facts: Mapping[str, str], *words: str) -> str:
    """The commit of a state; where only an address is given, the commit in it; else a branch."""
    keys = [f"{word}{end}" for word in words for end in ("_commit", "_commit_id", "_version", "_commit_url")]
    value = first_of(facts, *keys)
    match = _COMMIT.search(value.lower())
    branch = first_of(facts, *(f"{word}_branch" for word in words))
    return match[0] if match else branch if re.fullmatch(r"[\w./-]{1,100}", branch) else ""


def _bug(source: str, facts: Mapping[str, str]) -> ForeignBug:
    name = first_of(facts, "id", "bug_id", "name")
    project = first_of(facts, "fork", "repo", "repository", "upstream", "project")
    project = project.removesuffix("/").removesuffix(".git").split("github.com/")[-1]
    url = first_of(facts, "issue_url", "url", "commit_url", "link")
    test = first_of(facts, "test_file", "test", "test_case")
    requirements, remarks = requirement_lines(re.split(r"[,;\s]+", first_of(facts, "requirements", "dependencies")))
    buggy, fixed = _state(facts, "buggy", "bug"), _state(facts, "fix", "fixed")
    tests = (ForeignTest(Runner.PYTEST, (test,)),) if test.endswith(".py") else ()
    # The authors added their tests to a branch of the buggy version.
    branch = first_of(facts, "buggy_branch", "bug_branch")
    added = (branch, (test,)) if tests and branch and branch != buggy else ("", ())
    return ForeignBug(
        id=f"{source}-{local_id(name or buggy[:12])}", source=source, layout=ForeignLayout.GDEFECTS4DL,
        title=(first_of(facts, "description", "title") or name).split("\n")[0][:120],
        buggy=ProgramPlace(commit=buggy, test_commit=added[0], test_paths=added[1]),
        fixed=ProgramPlace(commit=fixed, test_commit=added[0], test_paths=added[1]),
        project=project, url=url, framework=first_of(facts, "framework").lower(),
        python=release_of(first_of(facts, "python", "python_version")), requirements=requirements, tests=tests,
        report=first_of(facts, "description"), remarks=remarks,
        obstacles=() if tests else ("it has no test file",),
    )  # fmt: skip


READER = Reader(fits, read)
