"""Reports whose true files are known: read from JSON lines, or imported from published data sets.

One JSON object a line::

    {"id": "ignite-512", "project": "pytorch+ignite", "repository": "ignite.git", "commit": "<parent of the fix>",
     "title": "…", "body": "…", "opened": "2019-04-01T10:00:00Z", "fixed": "2019-04-09T08:00:00Z", "truth": ["a.py"],
     "bug_type": "training", "origin": "intrinsic", "project_class": "Library", "system": "deep-learning",
     "functions": [{"path": "a.py", "name": "Trainer.fit", "lines": [41, 42]}]}

``repository`` is a folder below that of the file; the last two lines are optional. ``lines`` are those of a
function, before the fix, that were changed. A commit may also be ``before:<seconds since 1970>``: the newest one on the
main line that is older.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from bugloss.core.errors import InvalidInput
from bugloss.core.json_lines import parse_time, read_lines
from bugloss.core.named_file import LARGEST_DATA, read_named
from bugloss.core.packed import unpack

_FORM = "The docstring of bugloss/evaluate/subjects.py lists the keys."


DEEP_LEARNING, TRADITIONAL = "deep-learning", "traditional"
BEFORE = "before:"
INSIDE = "::"  # between the path and the name of a function


@dataclass(frozen=True, slots=True)
class Touched:
    """A function that a fix changed: its name, with the classes around it or bare, and the old lines that changed."""

    path: str
    name: str
    lines: tuple[int, ...] = ()
    start: int = 0  # about where it begins; tells functions of one name apart where no old line changed


@dataclass(frozen=True, slots=True)
class RankedReport:
    """A report, the commit to search, and the files and functions that its fix changed."""

    id: str
    project: str
    repository: Path
    commit: str
    title: str
    body: str
    opened: int
    fixed: int
    truth: tuple[str, ...]
    bug_type: str = ""
    origin: str = ""
    project_class: str = ""
    system: str = DEEP_LEARNING
    functions: tuple[Touched, ...] = ()

    def __setstate__(self, kept: Sequence[Any]) -> None:
        """Subjects that an earlier version pickled lack the last fields: these have their defaults."""
        for at, each in enumerate(fields(self)):
            object.__setattr__(self, each.name, kept[at] if at < len(kept) else each.default)

    @property
    def names_a_file(self) -> bool:
        """Whether the report names a true file: the name of the file stands somewhere in it."""
        text = f"{self.title}\n{self.body}"
        return any(path.partition(INSIDE)[0].rsplit("/", 1)[-1] in text for path in self.truth)


def read_subjects(path: Path) -> tuple[RankedReport, ...]:
    """The subjects of a file of JSON lines, packed with gzip or not."""
    return tuple(read_lines(path, _lines(path), lambda data, _: _subject(data, path.parent), "subject", _FORM))


def _lines(path: Path) -> list[str]:
    data = read_named(path, LARGEST_DATA)
    try:
        return (unpack(data, LARGEST_DATA) if path.suffix == ".gz" else data).decode("utf-8", "replace").splitlines()
    except ValueError as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error


def _subject(data: Mapping[str, Any], folder: Path) -> RankedReport:
    return RankedReport(
        id=str(data["id"]),
        project=str(data["project"]),
        repository=folder / _below(str(data["repository"])),
        commit=str(data["commit"]),
        title=str(data["title"]),
        body=str(data.get("body") or ""),
        opened=parse_time(str(data["opened"])),
        fixed=parse_time(str(data["fixed"])),
        truth=tuple(str(path) for path in data["truth"]),
        bug_type=str(data.get("bug_type") or ""),
        origin=str(data.get("origin") or ""),
        project_class=str(data.get("project_class") or ""),
        system=str(data.get("system") or DEEP_LEARNING),
        functions=tuple(_touched(one) for one in data.get("functions") or ()),
    )


def _below(name: str) -> str:
    """The name of a folder next to the file of subjects."""
    if name.startswith("/") or ".." in name.split("/"):
        raise ValueError(f"the repository '{name}' is not in the folder of the file")
    return name


def _touched(data: Mapping[str, Any]) -> Touched:
    lines = tuple(int(line) for line in data.get("lines") or ())
    return Touched(str(data["path"]), str(data["name"]), lines, int(data.get("start") or 0))


def import_denchmark(
    path: Path, repositories: Mapping[str, Path], classes: Mapping[str, str] | None = None
) -> tuple[RankedReport, ...]:
    """Denchmark's reports as one JSON object a line; ``repositories`` names the folder of each project's history.

    ``classes`` says which project is a library, a framework or a tool. Searched is the parent of the fix. A true file
    is a Python file that the fix changed, deleted or moved, under its old name; which of them are tests, and which
    exist in the parent, only the repository shows.
    """

    def make(data: Mapping[str, Any], _: int) -> RankedReport:
        ends = [parse_time(data[key]) for key in ("fix_time", "closed") if data.get(key)]
        changed = (file["old_path"] for file in data["files"] if file["change"] in ("MODIFY", "DELETE", "RENAME"))
        truth = tuple(dict.fromkeys(path for path in changed if path and path.endswith(".py")))
        return RankedReport(
            id=f"{data['project']}#{data['bug_id']}",
            project=data["project"],
            repository=repositories.get(data["project"], Path()),
            commit=f"{data['fix_commit']}~1",
            title=data["title"],
            body=data["description"],
            opened=parse_time(data["opened"]),
            fixed=max(ends),
            truth=truth,
            project_class=(classes or {}).get(data["project"], ""),
            functions=tuple(_methods(data["files"])),
        )

    subjects = read_lines(path, _lines(path), make, "subject", _FORM)
    return tuple(subject for subject in subjects if subject.project in repositories and subject.truth)


def _methods(files: Sequence[Mapping[str, Any]]) -> Iterator[Touched]:
    """Methods that Denchmark's hunks name; their deleted lines are those of the old file."""
    for file in files:
        for hunk in file.get("hunks") or ():
            if hunk.get("method") and str(file.get("old_path") or "").endswith(".py"):
                lines = tuple(int(line) for line in (hunk.get("deleted") or "").split(",") if line.strip().isdigit())
                yield Touched(file["old_path"], str(hunk["method"]), lines, int(hunk.get("start") or 0))
