"""Nothing in a checkout gives the answer away: no telling comment, no telling name, no line of the fix."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.core.bug import Bug
from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import read_text
from bugloss.corpus.gates.programs import FilePair, changed_files
from bugloss.corpus.unified_diff import text_files

Problems = Iterator[tuple[str, str]]

_NEAR = 3  # lines around a difference in which a comment is read as one about it
_SHORTEST = 12  # characters of a line of code; shorter ones, such as ``return x``, are everywhere
_TELLING = re.compile(
    r"^[^#]*+#.*\b(bugs?|fixme|xxx|wrong(?:ly)?|broken|mistake|incorrect(?:ly)?|faulty?|fix|should be|must be)\b",
    re.IGNORECASE,
)
_TELLING_NAME = re.compile(
    r"\b(?:\w*_)?(?:fixed|buggy|broken|incorrect|faulty|bugfix|hotfix)(?:_\w*)?(?=\s*[=(:,])", re.IGNORECASE
)


def check_giveaways(bug: Bug) -> Problems:
    pairs = [pair for pair in changed_files(bug) if pair.name.endswith(".py")]
    known = _squeezed_lines(_buggy_text(bug))
    shown = {name: _text(bug, name) for name in ("report.md", "original.md", "test.py")}
    for pair in pairs:
        yield from _telling_comments(pair)
        yield from _telling_names(pair)
        for name, text in shown.items():
            yield from ((name, f"contains a line of the fix: '{line}'") for line in _lines_of_fix(pair, text, known))


def _telling_comments(pair: FilePair) -> Problems:
    lines = pair.buggy.splitlines()
    for hunk in pair.hunks():
        first, last = hunk.line - 1 - _NEAR, hunk.line - 1 + len(hunk.removed) + _NEAR
        for number in range(max(first, 0), min(last, len(lines))):
            if found := _TELLING.match(lines[number]):
                yield (
                    f"buggy/{pair.name}",
                    f"has the word '{found[1]}' in a comment beside the fault, line {number + 1}",
                )


def _telling_names(pair: FilePair) -> Problems:
    for hunk in pair.hunks():
        for line in (*hunk.removed, *hunk.added):
            if found := _TELLING_NAME.search(line.partition("#")[0]):
                yield f"buggy/{pair.name}", f"the name '{found[0]}' in a line of the fix gives the answer away"


def _lines_of_fix(pair: FilePair, text: str, known: set[str]) -> Iterator[str]:
    """New lines of the fix that a shown text has as well; those of the buggy program are left out."""
    shown = _squeezed_lines(text)
    for hunk in pair.hunks():
        for line in hunk.added:
            squeezed = _squeezed(line)
            if len(squeezed) >= _SHORTEST and squeezed in shown and squeezed not in known:
                yield line.strip()


def _buggy_text(bug: Bug) -> str:
    return "\n".join(_text(bug, f"buggy/{name}") for name in text_files(bug.folder / "buggy"))


def _squeezed_lines(text: str) -> set[str]:
    return {_squeezed(line) for line in text.splitlines()}


def _squeezed(line: str) -> str:
    return re.sub(r"\s+", "", line.partition("#")[0])


def _text(bug: Bug, name: str) -> str:
    try:
        return read_text(bug.folder, name)
    except FileRefused:
        return ""
