"""Which file a dotted name means: the modules of a tree by every suffix of their dotted path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Modules:
    """The modules of a tree."""

    ending: dict[str, list[int]]  # the last part of a dotted path → files
    dotted: tuple[str, ...]

    @classmethod
    def of(cls, paths: Sequence[str]) -> Modules:
        """The modules that some paths are; ``pkg/__init__.py`` is ``pkg``."""
        ending: dict[str, list[int]] = {}
        dotted = []
        for at, path in enumerate(paths):
            name = path.rsplit(".", 1)[0].replace("/", ".").removesuffix(".__init__")
            dotted.append(name)
            ending.setdefault(name.rsplit(".", 1)[-1], []).append(at)
        return cls(ending, tuple(dotted))

    def find(self, name: str, least_parts: int = 2) -> tuple[int, ...]:
        """The files that a dotted name may mean: the longest beginning of it that is a module, best first."""
        parts = name.split(".")
        for length in range(len(parts), least_parts - 1, -1):
            found = self._ending_with(".".join(parts[:length]), parts[length - 1])
            if found:
                return tuple(sorted(found, key=lambda at: len(self.dotted[at])))
        return ()

    def _ending_with(self, name: str, last: str) -> list[int]:
        tail = f".{name}"
        return [at for at in self.ending.get(last, ()) if self.dotted[at] == name or self.dotted[at].endswith(tail)]

    def imported(self, importer: int, names: Iterable[str]) -> set[int]:
        """The files of the tree that a file imports."""
        found: set[int] = set()
        for name in names:
            absolute = self._absolute(importer, name) if name.startswith(".") else name
            candidates = self.find(absolute) if "." in absolute else self._neighbour(importer, absolute)
            if candidates:
                found.add(candidates[0])
        found.discard(importer)
        return found

    def _absolute(self, importer: int, name: str) -> str:
        bare = name.lstrip(".")
        levels = len(name) - len(bare)
        parts = self.dotted[importer].split(".")
        base = parts[: max(len(parts) - levels, 0)]
        return ".".join([*base, bare] if bare else base)

    def _neighbour(self, importer: int, name: str) -> tuple[int, ...]:
        """A script imports the file next to it by its bare name."""
        folder = self.dotted[importer].rpartition(".")[0]
        wanted = f"{folder}.{name}" if folder else name
        return tuple(at for at in self.ending.get(name, ()) if self.dotted[at] == wanted)
