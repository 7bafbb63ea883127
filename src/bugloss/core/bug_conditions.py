"""Where else a bug shows, and under which conditions: releases, precision, devices, processes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

_BOUND = re.compile(r"(?P<package>[A-Za-z][\w.-]*?)(?P<sign><=|>=|==|<|>)(?P<version>\d+(?:\.\d+)*)", re.ASCII)


class BugSetting(Enum):
    """What a training must use for the fault to matter."""

    MIXED_PRECISION = "mixed-precision"
    DEVICES = "devices"
    DISTRIBUTED = "distributed"


@dataclass(frozen=True, slots=True)
class Releases:
    """The side of a version boundary on which the buggy program fails, and the one on which it works.

    Each is a package with a bound, such as ``keras>=3`` and ``keras<3``.
    """

    fails: str
    works: str

    def wrong_bounds(self) -> Iterator[str]:
        """Those of the two that are not a package with a bound."""
        yield from (bound for bound in (self.fails, self.works) if not _BOUND.fullmatch(bound))

    @property
    def package(self) -> str:
        return package_of(self.fails)


def package_of(bound: str) -> str:
    """``keras`` of ``keras>=3``."""
    found = _BOUND.fullmatch(bound)
    return found["package"] if found else ""


def lets_through(bound: str, version: str) -> bool:
    """Whether a release, such as ``3.15.1``, is on this side of a boundary."""
    found = _BOUND.fullmatch(bound)
    if found is None:
        return False
    limit, release = _numbers(found["version"]), _numbers(version)
    length = max(len(limit), len(release))
    limit, release = (part + (0,) * (length - len(part)) for part in (limit, release))
    match found["sign"]:
        case "<":
            return release < limit
        case "<=":
            return release <= limit
        case ">":
            return release > limit
        case ">=":
            return release >= limit
    return release == limit


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()
