"""Whether a change touches deep-learning code: what its files import, and which known names its lines change."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from keyword import iskeyword

from bugloss.core.network.activation import activation
from bugloss.core.network.layer import layer
from bugloss.core.network.loss import loss
from bugloss.core.network.optimizer import optimizer
from bugloss.core.python_text import parse_python
from bugloss.mine.change import ChangedText, CommitChange
from bugloss.mine.words import operations

FRAMEWORKS = {"torch": "torch", "tensorflow": "tensorflow", "keras": "keras", "tf_keras": "keras"}
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_STRING = re.compile(r"\"[^\"]*\"|'[^']*'|#.*")


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """The lines that a change takes away and puts in, without blank ones and comments."""

    removed: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def count(self) -> int:
        return max(len(self.removed), len(self.added))


def changed_lines(file: ChangedText) -> ChangedLines:
    """The lines of code of one file; blank lines, comments and docstrings are not code."""
    old, new = file.before.splitlines(), file.after.splitlines()
    old_prose, new_prose = _prose(file.before), _prose(file.after)
    removed, added = [], []
    for kind, start, end, new_start, new_end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            removed += [old[at] for at in range(start, end) if _is_code(old[at]) and at not in old_prose]
            added += [new[at] for at in range(new_start, new_end) if _is_code(new[at]) and at not in new_prose]
    return ChangedLines(tuple(removed), tuple(added))


def _is_code(line: str) -> bool:
    text = line.strip()
    return bool(text) and not text.startswith("#")


def _prose(text: str) -> frozenset[int]:
    """The lines of strings that stand alone, counted from zero."""
    return frozenset(
        at
        for node in _walk(text)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for at in range(node.lineno - 1, node.end_lineno or node.lineno)
    )


def imported_frameworks(change: CommitChange) -> tuple[str, ...]:
    """The frameworks that changed files import."""
    names = {name for file in change.files for name in _imports(file.before or file.after)}
    return tuple(sorted({FRAMEWORKS[name] for name in names & FRAMEWORKS.keys()}))


def _imports(text: str) -> Iterator[str]:
    for node in _walk(text):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _walk(text: str) -> Iterator[ast.AST]:
    """Every node; none where the text is not Python."""
    try:
        tree = parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    yield from ast.walk(tree)


def learning_names(lines: Iterable[str]) -> tuple[str, ...]:
    """Names in these lines that belong to networks and training."""
    words = dict.fromkeys(word for line in lines for word in _WORD.findall(_STRING.sub("", line)))
    return tuple(word for word in words if word in operations() or _is_part(word))


def _is_part(word: str) -> bool:
    """Whether a table of networks has it; what begins with a small letter may be any variable."""
    if not word[0].isupper() or iskeyword(word):
        return False
    return any(known(word) is not None for known in (layer, loss, activation, optimizer))
