"""Checks what is special to the folder of an upstream bug; the fix only where the sources are on this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.core.bug import Bug, Twin, Upstream
from bugloss.core.errors import FileRefused, InvalidInput
from bugloss.core.foreign_file import is_inside, read_text
from bugloss.corpus.oracle_call import parse
from bugloss.corpus.unified_diff import text_files, unified_diff
from bugloss.corpus.upstream_program import OWN_FILES, program_place

# A fix in a library also has what a re-created program leaves out, such as the same line in three classes.
LARGEST_UPSTREAM_FIX = 60
_SHORTEST_TELLING_LINE = 25  # characters; shorter lines, such as "return loss", are in many programs
_LICENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*( (OR|AND|WITH) [A-Za-z0-9.+-]+)*")

Problems = Iterator[tuple[str, str]]


def own_names(bug: Bug) -> list[str]:
    """The files that a bug adds to the sources, named from its folder."""
    return [f"{OWN_FILES}/{name}" for name in text_files(bug.folder / OWN_FILES)]


def lint_upstream(bug: Bug) -> Problems:
    """The section, our program, and the fix."""
    upstream = bug.upstream
    assert upstream is not None
    if not upstream.repository.startswith("https://"):
        yield "bug.toml", "upstream.repository must be an https address"
    if not _LICENCE.fullmatch(upstream.licence):
        yield "bug.toml", "upstream.licence must be the SPDX name of the repository's licence, such as MIT"
    for twin in Twin:
        if (bug.folder / twin.value).exists():
            yield f"{twin.value}/", "must not exist: the programs of an upstream bug come from its repository"
    if not is_inside(bug.folder / OWN_FILES, bug.entry):
        yield f"{OWN_FILES}/", f"lacks the entry file {bug.entry}"
    yield from _own_files(bug)
    yield from _commits(bug, upstream)
    if program_place(bug, upstream).is_dir():
        yield from _fix(bug, upstream)


def _own_files(bug: Bug) -> Problems:
    for name in own_names(bug):
        if name.removeprefix(f"{OWN_FILES}/") in {"test.py", "oracle.py", "report.md", "requirements.txt"}:
            yield name, "has a name that the test or a checkout needs"
        if name.endswith(".py"):
            try:
                parse(read_text(bug.folder, name))
            except (FileRefused, InvalidInput) as error:
                yield name, error.message


def _commits(bug: Bug, upstream: Upstream) -> Problems:
    """What a checkout shows must not lead to the fix."""
    for name in ("test.py", "report.md", "original.md", *own_names(bug)):
        text = _text(bug, name)
        if upstream.fix[:7] in text or upstream.before[:7] in text:
            yield name, "reveals the answer: it names a commit"
        if re.search(r"https?://[^\s)>]*/(pull|commit|compare)/", text):
            yield name, "reveals the answer: it links a change of the repository"


def _fix(bug: Bug, upstream: Upstream) -> Problems:
    place = program_place(bug, upstream)
    diff = unified_diff(place / Twin.BUGGY.value, place / Twin.FIXED.value)
    changed = [line for line in diff.splitlines() if re.match(r"[-+](?![-+]{2} )", line)]
    if not changed:
        yield "bug.toml", "upstream.fix does not change the program"
    if len(changed) > LARGEST_UPSTREAM_FIX:
        yield "bug.toml", f"the fix changes {len(changed)} lines; it may change at most {LARGEST_UPSTREAM_FIX}"
    removed, added = ({line[1:].strip() for line in changed if line.startswith(sign)} for sign in "-+")
    for name in ("test.py", "report.md", "original.md", *own_names(bug)):
        shown = {line.strip() for line in _text(bug, name).splitlines()}
        for line in sorted((added - removed) & shown):  # a line that was only moved is no secret
            if len(line) >= _SHORTEST_TELLING_LINE:
                yield name, f"reveals the answer: it contains the line '{line[:60]}' of the fix"


def _text(bug: Bug, name: str) -> str:
    try:
        return read_text(bug.folder, name)
    except FileRefused:
        return ""
