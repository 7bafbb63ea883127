"""The files of a program that a patch may change, before and after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bugloss.core.edit import Edit
from bugloss.core.patch import Rung, RungResult
from bugloss.core.python_text import parse_python
from bugloss.core.text_diff import text_diff

Texts = Mapping[str, str]


def apply_edit(edit: Edit, read: Callable[[str], str | None]) -> tuple[RungResult, dict[str, str]]:
    """The texts of the changed files; and whether the edit fits them, changes something and leaves valid Python."""
    changed: dict[str, str] = {}
    for path in edit.paths:
        text = read(path)
        if text is None or not edit.fits(path, text):
            return _refused(f"{path} does not read as it did when the patch was made"), {}
        after = edit.apply(path, text)
        if after != text:
            changed[path] = after
        problem = _problem(path, after)
        if problem:
            return _refused(f"{path} would not be valid Python any more: {problem}"), {}
    if not changed:
        return _refused("the patch changes nothing"), {}
    files = "1 file" if len(changed) == 1 else f"{len(changed)} files"
    return RungResult(Rung.APPLIES, True, f"applies to {files} and parses"), changed


def diff_of(before: Callable[[str], str | None], after: Texts) -> str:
    """What ``git apply`` takes to get from one to the other."""
    parts = (text_diff(before(path) or "", text, f"a/{path}", f"b/{path}") for path, text in sorted(after.items()))
    return "".join(parts)


def _problem(path: str, text: str) -> str:
    if not path.endswith(".py"):
        return ""
    try:
        parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return str(error)
    return ""


def _refused(words: str) -> RungResult:
    return RungResult(Rung.APPLIES, False, words)
