"""The fix is minimal: nothing differs that the fault does not need."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.bug import Bug, Twin
from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import read_text
from bugloss.core.python_text import imported_modules
from bugloss.corpus.gates.programs import FilePair, changed_files, tree_of, words_of_code
from bugloss.corpus.unified_diff import text_files

Problems = Iterator[tuple[str, str]]


def check_minimal_fix(bug: Bug) -> Problems:
    """Differences in layout, in a name alone, in an import that is not used, and in files that nothing imports."""
    used = _used_files(bug)
    for pair in changed_files(bug):
        place = f"fixed/{pair.name}"
        if not pair.name.endswith(".py"):
            continue
        if pair.name not in used:
            yield place, "differs, but the program does not import it"
        yield from ((place, words) for words in _idle_hunks(pair))
        yield from ((place, words) for words in (*_renamed(pair), *_idle_imports(pair)))


def _idle_hunks(pair: FilePair) -> Iterator[str]:
    for hunk in pair.hunks():
        removed, added = words_of_code(hunk.removed), words_of_code(hunk.added)
        blank = not any(line.strip() for line in (*hunk.removed, *hunk.added))
        if removed == added and not blank and "\n".join(hunk.removed).strip() != "\n".join(hunk.added).strip():
            yield f"differs from line {hunk.line} of buggy/ on in white space or comments only: undo that"


def _renamed(pair: FilePair) -> Iterator[str]:
    """A name of the program that the fix replaces everywhere by another one."""
    before, after = tree_of(pair.buggy), tree_of(pair.fixed)
    if before is None or after is None:
        return
    gone, come = _own_names(before) - _names(after), _own_names(after) - _names(before)
    for old in sorted(gone):
        for new in sorted(come):
            if _equal_lines(pair, old, new):
                yield f"calls '{new}' what buggy/ calls '{old}': a fix renames nothing that it need not"


def _equal_lines(pair: FilePair, old: str, new: str) -> bool:
    """Whether some difference is nothing but the other name."""
    for hunk in pair.hunks():
        removed = tuple(new if word == old else word for word in words_of_code(hunk.removed))
        if removed and old in words_of_code(hunk.removed) and removed == words_of_code(hunk.added):
            return True
    return False


def _idle_imports(pair: FilePair) -> Iterator[str]:
    before, after = tree_of(pair.buggy), tree_of(pair.fixed)
    if before is None or after is None:
        return
    used = {node.id for node in ast.walk(after) if isinstance(node, ast.Name)}
    for name in sorted(set(_imported_names(after)) - set(_imported_names(before))):
        if name not in used:
            yield f"imports '{name}', which it does not use"


def _own_names(tree: ast.Module) -> set[str]:
    """What the program itself names: variables, parameters, functions, classes."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def _names(tree: ast.Module) -> set[str]:
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | _own_names(tree)


def _imported_names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)


def _used_files(bug: Bug) -> set[str]:
    """The files that the entry or the test reach by importing."""
    files = {name for twin in Twin for name in text_files(bug.folder / twin.value) if name.endswith(".py")}
    modules = {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name for name in files}
    pending, seen = [_source(bug, "test.py")], {bug.entry}
    pending += [_source(bug, f"{twin.value}/{bug.entry}") for twin in Twin]
    while pending:
        for module in _all_imports(pending.pop()):
            for name in _places(module, modules):
                if name not in seen:
                    seen.add(name)
                    pending += [_source(bug, f"{twin.value}/{name}") for twin in Twin]
    return seen


def _places(module: str, modules: dict[str, str]) -> Iterator[str]:
    """The file of a module and those of the packages around it."""
    parts = module.split(".")
    for end in range(1, len(parts) + 1):
        if (name := ".".join(parts[:end])) in modules:
            yield modules[name]


def _all_imports(text: str) -> set[str]:
    tree = tree_of(text)
    if tree is None:
        return set()
    found = set(imported_modules(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
    return found


def _source(bug: Bug, name: str) -> str:
    try:
        return read_text(bug.folder, name)
    except FileRefused:
        return ""
