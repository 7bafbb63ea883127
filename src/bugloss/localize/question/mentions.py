"""What in a report points at a file by name: paths, frames of tracebacks, modules, defined classes and functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from bugloss.localize.index.modules import Modules
from bugloss.localize.index.tree_index import TreeIndex
from bugloss.localize.question.query import Query

_CODE_LIKE = re.compile(r"[a-z0-9][A-Z]|[A-Z][A-Z][a-z]|\w_\w|[a-z]\d[a-z]|^_")
_MOST_FILES = 12  # a name that more files define points nowhere


class Pointer(Enum):
    """How a report points at a file."""

    INNERMOST_FRAME = "innermost frame"
    FRAME = "frame"
    LINK = "link"
    PATH = "path"
    FILE_NAME = "file name"
    MODULE = "module"
    DOTTED_NAME = "dotted name"
    CLASS_IN_TITLE = "class in title"
    CLASS_IN_PROSE = "class in prose"
    CLASS_IN_CODE = "class in code"
    FUNCTION_IN_TITLE = "function in title"
    FUNCTION_IN_PROSE = "function in prose"
    FUNCTION_IN_CODE = "function in code"
    PLAIN_WORD_IN_TITLE = "plain word in title"
    PLAIN_WORD_IN_PROSE = "plain word in prose"
    STEM_IN_TITLE = "stem in title"
    STEM_IN_PROSE = "stem in prose"
    STEM_IN_CODE = "stem in code"
    SPELLED_IN_TITLE = "spelled in title"
    SPELLED_IN_PROSE = "spelled in prose"
    STEM_SPELLED_IN_TITLE = "stem spelled in title"
    STEM_SPELLED_IN_PROSE = "stem spelled in prose"


@dataclass(frozen=True, slots=True)
class FileMention:
    """A word of the report that points at a file; the weight is one where it can mean no other."""

    file: int
    pointer: Pointer
    weight: float
    text: str
    line: int = 0


class Resolver:
    """Looks the names of one report up in one tree."""

    def __init__(self, index: TreeIndex) -> None:
        self.index = index
        self.modules = Modules.of(index.paths)
        self.by_name: dict[str, list[int]] = {}
        self.by_stem: dict[str, list[int]] = {}
        for at, path in enumerate(index.paths):
            name = path.rsplit("/", 1)[-1]
            self.by_name.setdefault(name, []).append(at)
            self.by_stem.setdefault(name.rsplit(".", 1)[0].lower(), []).append(at)

    def mentions(self, query: Query) -> list[FileMention]:
        """Everything in the report that points at files."""
        return [
            *self._frames(query),
            *self._paths(query.links, Pointer.LINK),
            *self._paths(query.paths, Pointer.PATH),
            *self._modules(query),
            *self._definitions(query),
            *self._stems(query),
            *self._spelled(query),
        ]

    def files_of(self, path: str) -> tuple[list[int], int]:
        """The files whose path shares the most parts with the end of ``path``, and how many parts that are."""
        parts = path.replace("\\", "/").split("/")
        best: list[int] = []
        most = 0
        for at in self.by_name.get(parts[-1], ()):
            shared = _shared(parts, self.index.paths[at].split("/"))
            if shared > most:
                best, most = [at], shared
            elif shared == most:
                best.append(at)
        return best, most

    def _frames(self, query: Query) -> Iterator[FileMention]:
        depth = 0
        seen: set[int] = set()
        for frame in reversed(query.frames):
            files, parts = self.files_of(frame.path)
            if not files or (parts < 2 and len(files) > 1) or len(files) > 3:
                continue
            if "site-packages" in frame.path and parts < 2:
                continue
            for at in files:
                if at in seen:
                    continue
                pointer = Pointer.FRAME if seen else Pointer.INNERMOST_FRAME
                yield FileMention(at, pointer, 1 / len(files) / (1 + depth), frame.function, frame.line)
            seen.update(files)
            depth += 1

    def _paths(self, paths: Sequence[str], pointer: Pointer) -> Iterator[FileMention]:
        for path in paths:
            files, parts = self.files_of(path)
            if files and len(files) <= _MOST_FILES:
                kind = pointer if parts > 1 or len(files) == 1 else Pointer.FILE_NAME
                yield from (FileMention(at, kind, 1 / len(files), path) for at in files)

    def _modules(self, query: Query) -> Iterator[FileMention]:
        for name in query.dotted:
            files = self.modules.find(name)
            last = name.rsplit(".", 1)[-1]
            owners = _distinct(self.index.names.get(last))
            if files and len(files) <= _MOST_FILES:
                yield from (FileMention(at, Pointer.MODULE, 1 / len(files), name) for at in files[:3])
            if owners and len(owners) <= _MOST_FILES:
                inside = self._below(name, owners) or owners
                yield from (FileMention(at, Pointer.DOTTED_NAME, 1 / len(inside), name) for at in inside)

    def _below(self, name: str, owners: Sequence[int]) -> list[int]:
        """Of the files that define the last part of a dotted name, those whose path has the parts before it."""
        parts = [part.lower() for part in name.split(".")[:-1]]
        dotted = self.modules.dotted
        return [at for at in owners if any(part in dotted[at].lower().split(".") for part in parts)]

    def _definitions(self, query: Query) -> Iterator[FileMention]:
        places = (
            (query.title_names, Pointer.CLASS_IN_TITLE, Pointer.FUNCTION_IN_TITLE, Pointer.PLAIN_WORD_IN_TITLE),
            (
                query.prose_names | query.quoted_names,
                Pointer.CLASS_IN_PROSE,
                Pointer.FUNCTION_IN_PROSE,
                Pointer.PLAIN_WORD_IN_PROSE,
            ),
            (query.code_names, Pointer.CLASS_IN_CODE, Pointer.FUNCTION_IN_CODE, None),
        )
        for names, as_class, as_function, plain in places:
            for name in names:
                clear = plain is None or name in query.quoted_names or bool(_CODE_LIKE.search(name))
                for at, is_class, weight in self._owners(name):
                    pointer = (as_class if is_class else as_function) if clear else plain
                    if pointer is not None:
                        yield FileMention(at, pointer, weight, name)

    def _owners(self, name: str) -> Iterator[tuple[int, bool, float]]:
        pairs = self.index.names.get(name)
        found = dict(zip(pairs[::2], pairs[1::2], strict=True)) if pairs else {}
        if len(found) <= _MOST_FILES:
            yield from ((at, bool(is_class), 1 / len(found)) for at, is_class in found.items())

    def _spelled(self, query: Query) -> Iterator[FileMention]:
        """Names of definitions and of files that the report writes as several words."""
        joins = query.title_joins | query.prose_joins
        names: dict[str, set[int]] = {}
        plains = "\n".join(self.index.names.places).replace("_", "").lower().split("\n")  # all at once: they are many
        for name, plain in zip(self.index.names.places, plains, strict=False):
            if plain in joins:
                names.setdefault(plain, set()).update(self.index.names.get(name)[::2])
        stems: dict[str, set[int]] = {}
        for stem, files in self.by_stem.items():
            plain = stem.replace("_", "")
            if plain in joins:
                stems.setdefault(plain, set()).update(files)
        for found, title, prose in (
            (names, Pointer.SPELLED_IN_TITLE, Pointer.SPELLED_IN_PROSE),
            (stems, Pointer.STEM_SPELLED_IN_TITLE, Pointer.STEM_SPELLED_IN_PROSE),
        ):
            for plain, owners in found.items():
                if len(owners) <= _MOST_FILES:
                    pointer = title if plain in query.title_joins else prose
                    yield from (FileMention(at, pointer, 1 / len(owners), plain) for at in sorted(owners))

    def _stems(self, query: Query) -> Iterator[FileMention]:
        for names, pointer in (
            (query.title_names, Pointer.STEM_IN_TITLE),
            (query.prose_names | query.quoted_names, Pointer.STEM_IN_PROSE),
            (query.code_names, Pointer.STEM_IN_CODE),
        ):
            for name in {name.lower().removeprefix("test_") for name in names}:
                files = self.by_stem.get(name, ())
                if files and len(files) <= _MOST_FILES:
                    yield from (FileMention(at, pointer, 1 / len(files), name) for at in files)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if a != b:
            break
        count += 1
    return count


def _distinct(pairs: Iterable[int]) -> list[int]:
    flat = list(pairs)
    return sorted(set(flat[::2]))
