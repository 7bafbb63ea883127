"""Makes a program that shows an error smaller, as long as it still shows it.

First, code that was never reached or is never used is removed, in one step; then statements one by one and in runs, as
delta debugging does. A candidate counts only when its run is judged no worse than the program it came from.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from bugloss.reproduce.program.draft import parsed
from bugloss.reproduce.program.rewriting import first_line

Still = Callable[[list[str]], list[bool]]  # of each text, whether it still shows the error


def shrink(text: str, reached: Sequence[int], still: Still, over: Callable[[], bool]) -> str:
    """The smallest program found before ``over`` says that time is up; ``reached`` are the lines of the traceback."""
    bare = without_unused(without_unreached(text, reached))
    for candidate in (bare, without_unused(text), without_unreached(text, reached)):
        if candidate != text and parsed(candidate) is not None and not over() and still([candidate])[0]:
            text = candidate
            break
    return _reduced(text, still, over)


def without_unreached(text: str, reached: Sequence[int]) -> str:
    """The program without the statements behind those that the traceback goes through."""
    tree = parsed(text)
    if tree is None:
        return text
    gone: list[ast.stmt] = []
    for body in _bodies(tree):
        at = [
            place
            for place, one in enumerate(body)
            if any(first_line(one) <= line <= (one.end_lineno or 0) for line in reached)
        ]
        if at and not _defines(body[at[-1]]):
            gone += [one for one in body[at[-1] + 1 :] if not _defines(one) or body is tree.body]
    return _without_all(text, gone)


def _defines(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef | ast.ClassDef)


def without_unused(text: str) -> str:
    """The program without imports, assignments and definitions at module level whose names are never read."""
    for _ in range(20):
        tree = parsed(text)
        if tree is None:
            return text
        read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        gone = [one for one in tree.body if (names := _given(one)) and not names & read]
        if not gone:
            return text
        text = _without_all(text, gone)
    return text


def _given(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a meaning and does nothing besides."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Assign) and all(isinstance(target, ast.Name) for target in statement.targets):
        return {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return set()


def _reduced(text: str, still: Still, over: Callable[[], bool]) -> str:
    """Takes the first candidate that still shows the error, again and again."""
    tried: set[str] = {text}
    improved = True
    while improved and not over():
        improved = False
        for batch in _batches(one for one in _without_statements(text) if one not in tried and parsed(one) is not None):
            tried.update(batch)
            shown = [one for one, good in zip(batch, still(batch), strict=True) if good]
            if shown:
                text, improved = _tidied(min(shown, key=len), still), True
                break
            if over():
                return text
    return text


def _tidied(text: str, still: Still) -> str:
    """The text without code that is never read, if it still shows the error: the failing line may be part of it."""
    bare = without_unused(text)
    return bare if bare != text and still([bare])[0] else text


def _batches(texts: Iterator[str], size: int = 3) -> Iterator[list[str]]:
    batch: list[str] = []
    for text in texts:
        if text not in batch:
            batch.append(text)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _without_statements(text: str) -> Iterator[str]:
    """Runs of statements left out: large ones first, at module level and then inside bodies."""
    tree = parsed(text)
    for body in _bodies(tree) if tree is not None else ():
        size = max(len(body) // 2, 1)
        while size >= 1:
            for start in range(len(body) - size, -1, -1):
                yield _without_all(text, body[start : start + size])
            size //= 2


def _bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    yield tree.body
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.For | ast.With | ast.If) and len(node.body) > 1:
            yield node.body


def _without_all(text: str, statements: Sequence[ast.stmt]) -> str:
    """The text without some statements and the comments above them."""
    lines = text.split("\n")
    gone: set[int] = set()
    for one in statements:
        first = first_line(one)
        while first > 1 and lines[first - 2].lstrip().startswith("# assumed"):
            first -= 1
        gone |= set(range(first, (one.end_lineno or one.lineno) + 1))
    return "\n".join(line for number, line in enumerate(lines, start=1) if number not in gone)
