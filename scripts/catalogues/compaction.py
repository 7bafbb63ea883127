"""Folds what several releases offer into one compact text: a line per name, ranges instead of releases.

The first line names the releases. Each further line holds, tab-separated and sorted by name: the name, its kind
(``m`` module, ``c`` class, ``f`` function, ``v`` value), the releases that have it, the releases that call it
deprecated, and its signatures. Releases are written as pairs of base-36 digits (first and last of a run; nothing
means all), a signature as the digit of the first release that has it, a colon and the parameters; ``?`` is one that
cannot be read.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import Any

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# Their constructors complain only when they are called, which nobody does: they are there to be subclassed.
_NOT_DEPRECATED = {"torch.autograd.Function", "torch.autograd.function.Function", "torch.distributed.nn.Function"}
_WITHOUT_SIGNATURES = ("tensorflow.compat.", "tensorflow.raw_ops.")


def write_catalogue(path: Path, answers: list[dict[str, Any]], package: str) -> int:
    """Writes the catalogue of a package; returns the number of names."""
    if not answers:
        return 0
    names = sorted({name for answer in answers for name in answer["symbols"] if "\t" not in name})
    lines = [" ".join(release_of(answer) for answer in answers)]
    lines += [line_of(name, answers) for name in names]
    path.parent.mkdir(parents=True, exist_ok=True)
    # No time stamp and no name in the header: the same facts give the same bytes.
    path.write_bytes(gzip.compress("\n".join(lines).encode(), compresslevel=9, mtime=0))
    return len(names)


def release_of(answer: dict[str, Any]) -> str:
    return str(answer["version"]).split("+")[0].split(".post")[0]


def line_of(name: str, answers: list[dict[str, Any]]) -> str:
    entries = [None if is_gone(name, answer) else answer["symbols"].get(name) for answer in answers]
    present = [place for place, entry in enumerate(entries) if entry is not None]
    kind = next(entry["kind"] for entry in reversed(entries) if entry is not None) if present else "v"
    deprecated = [place for place in present if entries[place].get("deprecated") and name not in _NOT_DEPRECATED]  # type: ignore[union-attr]
    runs = "" if len(present) == len(answers) else as_runs(present) or "-"
    signatures = "" if name.startswith(_WITHOUT_SIGNATURES) or kind in "mv" else signatures_of(entries)
    return "\t".join((name, kind, runs, as_runs(deprecated), signatures)).rstrip("\t")


def is_gone(name: str, answer: dict[str, Any]) -> bool:
    """A stub that only raises, or the tensor method that leads to it."""
    return name in answer["stubs"] or name.replace("torch.Tensor.", "torch.", 1) in answer["stubs"]


def as_runs(places: Iterable[int]) -> str:
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][1] + 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return "".join(DIGITS[first] + DIGITS[last] for first, last in runs)


def signatures_of(entries: list[dict[str, Any] | None]) -> str:
    """Each signature where it first differs from the one before."""
    changes: list[str] = []
    before = None
    for place, entry in enumerate(entries):
        if entry is not None:
            signature = spelled(entry.get("parameters"))
            if signature != before:
                changes.append(f"{DIGITS[place]}:{signature}")
            before = signature
    return "" if changes == [f"{changes[0][0]}:?"] else ";".join(changes)


def spelled(parameters: list[list[Any]] | None) -> str:
    """``input,/,dim=,*,out=,**``: an equals sign marks a default."""
    if parameters is None:
        return "?"
    words: list[str] = []
    for position, (name, kind, default) in enumerate(parameters):
        if kind == "k" and not any(word.startswith("*") for word in words):
            words.append("*")
        star = kind if kind in {"*", "**"} else ""
        words.append(f"{star}{name}{'' if default is None else '='}")
        if kind == "/" and (position + 1 == len(parameters) or parameters[position + 1][1] != "/"):
            words.append("/")
    return ",".join(words)
