"""Which file a dotted name means: the modules of a tree by every suffix of their dotted path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Modules:
    """The modules of a tree."""

    places: dict[str, list[int]]
    dotted: tuple[str, ...]

    @classmethod
    def of(cls, paths: Sequence[str]) -> Modules:
        """The modules that some paths are; ``pkg/__init__.py`` is ``pkg``."""
        places: dict[str, list[int]] = {}
        dotted = []
        for at, path in enumerate(paths):
            parts = path.rsplit(".", 1)[0].split("/")
            if parts[-1] == "__init__":
                parts = parts[:-1]
            dotted.append(".".join(parts))
            for start in range(max(len(parts), 1)):
                places.setdefault(".".join(parts[start:]), []).append(at)
        return cls(places, tuple(dotted))

    def find(self, name: str, least_parts: int = 2) -> tuple[int, ...]:
        """The files that a dotted name may mean: the longest beginning of it that is a module, best first."""
        parts = name.split(".")
        for length in range(len(parts), least_parts - 1, -1):
            beginning = ".".join(parts[:length])
            found = self.places.get(beginning)
            if found:
                return tuple(sorted(found, key=lambda at: len(self.dotted[at])))
        return ()

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
        return tuple(at for at in self.places.get(wanted, ()) if self.dotted[at] == wanted)
