"""Variables while a file is followed."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.source.values.values import Value


class Scope:
    """Variables of a function or of the module."""

    __slots__ = ("parent", "variables")

    def __init__(self, parent: Scope | None = None) -> None:
        self.variables: dict[str, Value] = {}
        self.parent = parent

    def get(self, name: str) -> Value | None:
        """A variable of this scope or of one around it."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables:
                return scope.variables[name]
            scope = scope.parent
        return None


@dataclass(frozen=True, slots=True)
class UnfollowedStatement:
    """A statement that could not be followed because bugloss itself failed."""

    line: int
    error: Exception


class Within:
    """Adds names to what encloses the operations that are noted meanwhile. A generator would take twice as long."""

    __slots__ = ("_before", "_inside", "_names")

    def __init__(self, inside: list[str], names: tuple[str, ...]) -> None:
        self._inside = inside
        self._names = names
        self._before = len(inside)

    def __enter__(self) -> None:
        self._before = len(self._inside)
        self._inside += self._names

    def __exit__(self, *raised: object) -> None:
        del self._inside[self._before :]


class Returned(Exception):
    """A return statement was reached."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value
