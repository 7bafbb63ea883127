"""Benchmarks with a folder for each bug that contains its buggy and its fixed program: defect4ML, AIFaultBench.

Their conventions differ in words only, so names are understood by what they say: ``buggy``, ``faulty`` …, ``fixed``,
``correct`` …, as folders or as files; settings (``conf.ini``, ``bug.json`` …) under any of the usual keys.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.documents import parse_json
from bugloss.core.foreign_bug import ForeignBug, ForeignLayout, ForeignTest, ProgramPlace, Runner
from bugloss.core.foreign_folder import content_of
from bugloss.corpus.foreign.commands import command_of
from bugloss.corpus.foreign.contract import (
    MOST_BUGS,
    Reader,
    first_of,
    local_id,
    optional_text,
    plain_key,
    release_of,
    settings_of,
)
from bugloss.corpus.foreign.requirement_lines import requirement_lines

_BUGGY = re.compile(r"(^|[_\-. ])(buggy|bug|faulty|fault|incorrect|before|broken)([_\-. ]|$)", re.IGNORECASE)
_FIXED = re.compile(r"(^|[_\-. ])(fixed|fix|correct|corrected|patched|repaired|after|clean)([_\-. ]|$)", re.IGNORECASE)
_SETTINGS = ("conf.ini", "config.ini", "bug.ini", "bug.json", "info.json", "metadata.json", "bug.info")
_REQUIREMENTS = ("requirements.txt", "requirement.txt", "requirements.pip")
_ENTRIES = ("test_command", "run_command", "command", "test", "entry", "entry_point", "main", "run", "script")
_PACKAGES = ("tensorflow", "tensorflow-gpu", "keras", "torch", "torchvision", "numpy", "scikit-learn", "pandas")
_TRUE = {"1", "true", "yes", "required", "gpu", "cuda"}
_SKIPPED = {".git", "__pycache__", "node_modules"}


@dataclass(frozen=True, slots=True)
class _BugFolder:
    """A folder of one bug with the names of its two programs, below the benchmark's folder."""

    name: str  # bugs/023
    buggy: str
    fixed: str


def reader(layout: ForeignLayout) -> Reader:
    return Reader(lambda root: bool(next(_bug_folders(root), None)), lambda root, source: _read(root, source, layout))


def _read(root: Path, source: str, layout: ForeignLayout) -> Iterator[ForeignBug]:
    for found in _bug_folders(root):
        yield _bug(root, source, layout, found)


def _bug_folders(root: Path) -> Iterator[_BugFolder]:
    """Folders at most three levels down that contain one buggy and one fixed program."""
    level, seen = [""], 0
    for _ in range(4):
        below: list[str] = []
        for folder in level:
            pair = _pair(root, folder)
            if pair is not None and folder:
                yield pair
                seen += 1
                if seen >= MOST_BUGS:
                    return
            else:
                below += [f"{folder}{name}/" for name in _names(root / folder, folders=True)]
        level = below


def _names(folder: Path, *, folders: bool) -> list[str]:
    """Names of folders, or of Python files; links are not followed."""
    try:
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if entry.name not in _SKIPPED and entry.name.isprintable()]
    except OSError:
        return []
    if folders:
        return sorted(entry.name for entry in found if entry.is_dir(follow_symlinks=False))
    return sorted(e.name for e in found if e.is_file(follow_symlinks=False) and e.name.endswith(".py"))


def _pair(root: Path, folder: str) -> _BugFolder | None:
    for folders in (True, False):
        names = _names(root / folder, folders=folders)
        buggy = [name for name in names if _BUGGY.search(_stem(name)) and not _FIXED.search(_stem(name))]
        fixed = [name for name in names if _FIXED.search(_stem(name))]
        if len(buggy) == len(fixed) == 1:
            return _BugFolder(folder.rstrip("/"), folder + buggy[0], folder + fixed[0])
    return None


def _stem(name: str) -> str:
    return name.removesuffix(".py")


def _bug(root: Path, source: str, layout: ForeignLayout, found: _BugFolder) -> ForeignBug:
    facts = _facts(root, found.name)
    requirements, remarks = _requirements(root, found, facts)
    test, problem = _test(root, found, facts)
    obstacles = [problem] if problem else []
    if first_of(facts, "gpu", "requires_gpu", "gpu_required", "cuda").lower() in _TRUE:
        obstacles.append("it needs a graphics card, and programs run without one")
    report = next(
        (text for name in ("README.md", "report.md") if (text := optional_text(root, f"{found.name}/{name}"))), ""
    )
    name = found.name.removeprefix("bugs/")
    title = first_of(facts, "title", "name", "description", "summary").split("\n")[0][:120]
    return ForeignBug(
        id=f"{source}-{local_id(name)}", source=source, layout=layout, title=title or f"bug {name}",
        buggy=ProgramPlace(found.buggy), fixed=ProgramPlace(found.fixed),
        url=first_of(facts, "url", "link", "source_url", "github", "bug_url", "issue", "post"),
        framework=first_of(facts, "framework", "library", "ml_framework").lower(),
        python=release_of(first_of(facts, "python", "python_version", "python_ver", "py_version")),
        requirements=requirements, tests=(test,) if test else (),
        report=report or first_of(facts, "description", "summary", "title"), remarks=remarks,
        obstacles=tuple(obstacles),
    )  # fmt: skip


def _facts(root: Path, folder: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in _SETTINGS:
        text = optional_text(root, f"{folder}/{name}")
        if name.endswith(".json") and text:
            try:
                value = parse_json(text)
            except ValueError:
                continue
            table = value if isinstance(value, Mapping) else {}
            parsed = {plain_key(str(key)): part for key, part in table.items()}
            found |= {key: str(part) for key, part in parsed.items() if isinstance(part, str | int | float | bool)}
        else:
            found |= settings_of(text)
    return found


def _requirements(root: Path, found: _BugFolder, facts: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A requirements file of the bug, else what its settings say of packages."""
    for folder in (found.name, found.buggy, found.fixed):
        for name in _REQUIREMENTS:
            text = optional_text(root, f"{folder}/{name}")
            if text.strip():
                return requirement_lines(text.splitlines())
    listed = re.split(r"[,;\s]+", first_of(facts, "requirements", "dependencies", "packages", "framework_versions"))
    named = [f"{name}=={facts[key]}" for name in _PACKAGES if re.match(r"\d", facts.get(key := plain_key(name), ""))]
    named += [
        f"{name}=={facts[key]}"
        for name in _PACKAGES
        if re.match(r"\d", facts.get(key := f"{plain_key(name)}_version", ""))
    ]
    framework, version = (
        first_of(facts, "framework", "library").lower(),
        first_of(facts, "framework_version", "version"),
    )
    if not named and framework in _PACKAGES and re.match(r"\d", version):
        named.append(f"{framework}=={version}")
    return requirement_lines([*(part for part in listed if part), *named])


def _test(root: Path, found: _BugFolder, facts: Mapping[str, str]) -> tuple[ForeignTest | None, str]:
    """What is run: a stated command, a test file, or the program itself, which must end without an exception."""
    files = _python_files(root, found.buggy)
    if not files:
        return None, f"{found.buggy} contains no Python file"
    stated = first_of(facts, *_ENTRIES)
    if stated:
        command = command_of(stated if " " in stated or not stated.endswith(".py") else f"python {stated}")
        if command is None:
            return None, f"its test command '{stated[:80]}' is not one that bugloss runs"
        return _in_folder(command, found), ""
    tests = [name for name in files if re.match(r"(test_.*|.*_test|test)\.py$", name.rsplit("/", 1)[-1])]
    if tests:
        return ForeignTest(Runner.PYTEST, tuple(tests)), ""
    scripts = [name for name in files if "/" not in name]
    main = [name for name in scripts if name in {"main.py", "train.py", "run.py"}]
    chosen = scripts if len(scripts) == 1 else main[:1]
    if not chosen:
        return None, f"it has no test, and {len(scripts)} files in {found.buggy} could be the one to run"
    return ForeignTest(Runner.SCRIPT, (chosen[0],)), ""


def _in_folder(command: ForeignTest, found: _BugFolder) -> ForeignTest:
    """A command as seen from the program's folder: settings often name files as seen from the bug's."""
    heads = [f"{path}/" for whole in (found.buggy, found.fixed) for path in (whole, whole.rsplit("/", 1)[-1])]
    arguments = []
    for argument in command.arguments:
        head = next((head for head in heads if argument.startswith(head)), "")
        arguments.append(argument.removeprefix(head))
    return ForeignTest(command.runner, tuple(arguments))


def _python_files(root: Path, program: str) -> list[str]:
    """The files of a program; one that is a file by itself is called program.py, the same in both versions."""
    if program.endswith(".py"):
        return ["program.py"]
    return [
        name for name in content_of(root / program, skip=lambda e: e.name in _SKIPPED).names if name.endswith(".py")
    ]
