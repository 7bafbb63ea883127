"""Rows that are found by any of their names, however they are spelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Generic, Protocol, TypeVar


class Named(Protocol):
    """A row: the name that messages use, and the other names it goes by."""

    @property
    def name(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...


Row = TypeVar("Row", bound=Named)


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """A name without its module, its case and its separators: ``nn.MSELoss`` and ``mse_loss`` are one."""
    return name.rsplit(".", 1)[-1].replace("_", "").replace("-", "").replace(" ", "").lower()


class NetworkTable(Generic[Row]):
    """All rows of one kind; the first row that has a name is found by it."""

    def __init__(self, *rows: Row) -> None:
        self._rows = list(rows)
        self._index: dict[str, list[Row]] | None = None

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def all_named(self, name: str) -> list[Row]:
        """Every row with that name, as the table orders them."""
        if self._index is None:
            self._index = {}
            for row in self._rows:
                for spelling in dict.fromkeys(map(folded, (row.name, *row.names))):
                    self._index.setdefault(spelling, []).append(row)
        return self._index.get(folded(name), [])

    def find(self, name: str, wanted: Callable[[Row], bool] = lambda row: True) -> Row | None:
        """The first row with that name that meets a condition."""
        return next((row for row in self.all_named(name) if wanted(row)), None)

    def add(self, row: Row) -> Callable[[], None]:
        """Adds a row; what comes back takes it out again."""
        self._rows.append(row)
        self._index = None

        def remove() -> None:
            self._rows.remove(row)
            self._index = None

        return remove
