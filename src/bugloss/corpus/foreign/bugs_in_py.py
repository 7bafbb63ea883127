"""BugsInPy: ``projects/NAME/project.info`` and ``projects/NAME/bugs/N`` with ``bug.info``, ``run_test.sh`` and patch.

The programs are commits of the project, which has to be cloned; the tests are those of the fixed commit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from bugloss.core.foreign_bug import ForeignBug, ForeignLayout, ProgramPlace
from bugloss.corpus.foreign.commands import commands_of
from bugloss.corpus.foreign.contract import Reader, first_of, local_id, optional_text, release_of, settings_of
from bugloss.corpus.foreign.requirement_lines import requirement_lines


def fits(root: Path) -> bool:
    return next(root.glob("projects/*/bugs/*/bug.info"), None) is not None


def read(root: Path, source: str) -> Iterator[ForeignBug]:
    for project in sorted(path.name for path in root.glob("projects/*") if path.is_dir() and not path.is_symlink()):
        facts = settings_of(optional_text(root, f"projects/{project}/project.info"))
        folders = [path.name for path in root.glob(f"projects/{project}/bugs/*") if path.is_dir()]
        for number in sorted(folders, key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name)):
            yield _bug(root, source, project, number, facts)


def _bug(root: Path, source: str, project: str, number: str, of_project: Mapping[str, str]) -> ForeignBug:
    folder = f"projects/{project}/bugs/{number}"
    facts = settings_of(optional_text(root, f"{folder}/bug.info"))
    tests, refused = commands_of(optional_text(root, f"{folder}/run_test.sh"))
    requirements, remarks = requirement_lines(optional_text(root, f"{folder}/requirements.txt").splitlines())
    buggy, fixed = first_of(facts, "buggy_commit_id"), first_of(facts, "fixed_commit_id")
    test_files = tuple(name for name in first_of(facts, "test_file").replace(";", " ").split() if name)
    obstacles = [f"its test command '{line}' is not one that bugloss runs" for line in refused]
    if not tests and not refused:
        obstacles.append("it has no run_test.sh with a test")
    if not buggy or not fixed:
        obstacles.append("its bug.info names no buggy_commit_id and fixed_commit_id")
    if optional_text(root, f"{folder}/setup.sh").strip():
        remarks = (*remarks, "its setup.sh is not run: add what it installs to requirements.txt")
    address = first_of(of_project, "github_url")
    name = address.removesuffix("/").removesuffix(".git").split("github.com/")[-1] or project
    return ForeignBug(
        id=f"{source}-{local_id(f'{project}-{number}')}", source=source, layout=ForeignLayout.BUGSINPY,
        title=f"{project} {number}", buggy=ProgramPlace(commit=buggy, test_commit=fixed, test_paths=test_files),
        fixed=ProgramPlace(commit=fixed), project=name, url=address,
        framework=project if project in {"keras", "tensorflow", "torch", "pytorch"} else "",
        python=release_of(first_of(facts, "python_version")), requirements=requirements, tests=tests, remarks=remarks,
        obstacles=tuple(obstacles),
    )  # fmt: skip


READER = Reader(fits, read)
