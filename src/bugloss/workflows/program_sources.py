"""The source files that a recorded run may make us read: Python files of its own program, and nothing else.

Which files are asked for is what the program's evidence says, and which folder they are in is what the run's facts say.
Both may be made up: the folder counts where the user recorded the run, or where it is in the project that holds the
run; the files are read through the door for foreign files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePath, PurePosixPath

from bugloss.core.cause import CellPlace
from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import is_inside, read_bytes, read_text
from bugloss.record.runs import RUNS, RunFacts, RunFolder
from bugloss.source.text.source_file import LARGEST_NOTEBOOK_BYTES, Skipped, parse_notebook, read_source
from bugloss.workflows.run_seal import is_own
from bugloss.workflows.subject import is_notebook


def source_reader(run: RunFolder, facts: RunFacts) -> Callable[[str], str | None]:
    """Reads a source by the name that the evidence gives it; None where it is not one of the program's."""
    roots = tuple(_roots(run, facts))
    script = facts.script_inside

    def read(name: str) -> str | None:
        for root in roots:
            inside = _below(root, name)
            if inside is not None and (inside == script or is_source(inside)):
                try:
                    return _text_of(root, inside)
                except FileRefused:
                    continue
        return None

    return read


def _text_of(root: Path, name: str) -> str | None:
    """A source as its lines are counted: of a notebook the code cells, one after the other."""
    if not is_notebook(name):
        return read_text(root, name, errors="replace")
    source = parse_notebook(read_bytes(root, name, LARGEST_NOTEBOOK_BYTES), name)
    return None if isinstance(source, Skipped) else source.text


def cells_of(script: Path | None) -> tuple[CellPlace, ...]:
    """Where the lines of a notebook are, as its reader counts them; nothing for other files."""
    if script is None or not is_notebook(script.name):
        return ()
    source = read_source(script, script.name)
    return () if isinstance(source, Skipped) else tuple(CellPlace(cell, line) for cell, line in source.cells)


def script_of(run: RunFolder, facts: RunFacts) -> Path | None:
    """The script that was run, where it can be read and the run may name it."""
    name = facts.script_inside
    if is_own(facts):
        script = Path(facts.folder, name)
        return script if script.is_file() else None
    root = _root_in_project(run, facts)
    return root / name if root is not None and is_source(name) and is_inside(root, name) else None


def _roots(run: RunFolder, facts: RunFacts) -> Iterator[Path]:
    """The script's folder; for a program that ran on this machine as it is, the project around it, too."""
    project = _project_of(run)
    if not is_own(facts):
        inside = _root_in_project(run, facts)
        yield from () if inside is None else (inside,)
        return
    yield Path(facts.folder)
    if facts.isolation is None and facts.stack is None and project is not None:
        yield project


def _root_in_project(run: RunFolder, facts: RunFacts) -> Path | None:
    """The folder that the facts name, if it is in the project that holds the run and is not hidden there."""
    project = _project_of(run)
    try:
        folder = Path(facts.folder).resolve()
    except (OSError, ValueError, RuntimeError):
        return None
    if project is None or not folder.is_relative_to(project):
        return None
    return folder if not _is_hidden(folder.relative_to(project)) else None


def _project_of(run: RunFolder) -> Path | None:
    """The folder in which somebody stood who recorded the run: the one that has ``.bugloss/runs``."""
    place = run.path.resolve().parent
    return place.parents[len(RUNS.parts) - 1] if place.parts[-len(RUNS.parts) :] == RUNS.parts else None


def _below(root: Path, name: str) -> str | None:
    """The name as seen from the root: evidence has whole paths for files that do not lie beside the script."""
    if not name.startswith("/"):
        return PurePosixPath(name).as_posix()
    for top in (root, root.resolve()):
        if PurePosixPath(name).is_relative_to(top):
            return PurePosixPath(name).relative_to(top).as_posix()
    return None


def is_source(name: str) -> bool:
    """Whether evidence may name that file: Python, and not in a hidden folder."""
    return name.endswith(".py") and not _is_hidden(PurePosixPath(name))


def _is_hidden(path: PurePath) -> bool:
    return any(part.startswith(".") for part in path.parts)
