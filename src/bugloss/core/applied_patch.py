"""Applies a unified diff to texts, exactly or not at all: no fuzz, and no program is started for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NOWHERE = "/dev/null"


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What a diff does to one file; a file that comes or goes has no old or no new name."""

    old: str | None
    new: str | None
    hunks: tuple[tuple[int, tuple[str, ...]], ...]


def apply_patch(files: Mapping[str, str], patch: str) -> dict[str, str | None]:
    """The changed files by name, None for those that go; ``ValueError`` says which part does not fit."""
    changed: dict[str, str | None] = {}
    for part in read_patch(patch):
        name = part.old or part.new or ""
        before = changed.get(name, files.get(name)) if part.old is not None else ""
        if before is None:
            raise ValueError(f"the patch changes {name}, which is not there")
        after = _applied(before, part, name)
        if part.old is not None and part.old != part.new:
            changed[part.old] = None
        if part.new is not None:
            changed[part.new] = after
    return changed


def patched_paths(patch: str) -> tuple[str, ...]:
    """The files that a patch leaves changed or new."""
    return tuple(dict.fromkeys(part.new for part in read_patch(patch) if part.new is not None))


def read_patch(patch: str) -> Iterator[FilePatch]:
    """File by file; binary changes and copies are refused, for their content is not in the text."""
    lines, at = patch.split("\n"), 0
    renamed: dict[str, str] = {}
    while at < len(lines):
        line = lines[at]
        if line.startswith(("GIT binary patch", "Binary files ")):
            raise ValueError("the patch changes a binary file, which is not in its text")
        if line.startswith(("rename from ", "rename to ")):
            renamed[line.split(" ", 2)[1]] = line.split(" ", 2)[2]
        if {"from", "to"} <= renamed.keys() and not _has_hunks(lines, at):
            yield FilePatch(_checked(renamed["from"]), _checked(renamed["to"]), ())
            renamed = {}
        if line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            old, new = _name(line), _name(lines[at + 1])
            hunks, at = _hunks(lines, at + 2)
            renamed = {}
            yield FilePatch(old, new, hunks)
            continue
        at += 1


def _has_hunks(lines: list[str], at: int) -> bool:
    """Whether the file that is renamed here is changed, too."""
    following = next((line for line in lines[at + 1 :] if line.startswith(("--- ", "diff --git "))), "")
    return following.startswith("--- ")


def _hunks(lines: list[str], at: int) -> tuple[tuple[tuple[int, tuple[str, ...]], ...], int]:
    hunks = []
    while at < len(lines) and (match := _HUNK.match(lines[at])):
        old, new = int(match[2] or 1), int(match[4] or 1)
        first, body = int(match[1]), []
        at += 1
        while at < len(lines) and (old > 0 or new > 0 or lines[at].startswith("\\")):
            line = lines[at] or " "  # some mailers strip the space of an empty line of context
            if line[0] not in " +-\\":
                raise ValueError(f"line {at + 1} of the patch is not a part of a hunk")
            old -= line[0] in " -"
            new -= line[0] in " +"
            body.append(line)
            at += 1
        hunks.append((first, tuple(body)))
    return tuple(hunks), at


def _name(line: str) -> str | None:
    name = line[4:].split("\t")[0].strip()
    if name == _NOWHERE:
        return None
    return _checked(name.split("/", 1)[1] if name.startswith(("a/", "b/")) else name)


def _checked(name: str) -> str:
    if name.startswith(("/", '"')) or any(part in {"", ".", ".."} for part in name.split("/")):
        raise ValueError(f"the patch names {name[:80]!r}, which is not a path inside the program")
    return name


def _applied(before: str, part: FilePatch, name: str) -> str:
    """Each hunk where its old lines are: at the stated line, else at the only other place that has them."""
    lines, moved = before.splitlines(keepends=True), 0
    for first, body in part.hunks:
        old, new = _side(body, "-"), _side(body, "+")
        start = first - 1 + moved if old else first + moved
        if lines[start : start + len(old)] != old:
            places = [place for place in range(len(lines)) if lines[place : place + len(old)] == old] if old else []
            if len(places) != 1:
                raise ValueError(f"the patch does not fit {name} at line {first}")
            start = places[0]
        lines[start : start + len(old)] = new
        moved += len(new) - len(old)
    return "".join(lines)


def _side(body: tuple[str, ...], sign: str) -> list[str]:
    """The old or the new lines of a hunk."""
    found: list[str] = []
    ours = False
    for line in body:
        if line.startswith("\\"):  # no newline at end of file: said of the line before it
            if ours and found:
                found[-1] = found[-1].removesuffix("\n")
            continue
        ours = line[0] in {" ", sign}
        if ours:
            found.append(f"{line[1:]}\n")
    return found
