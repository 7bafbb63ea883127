"""The error tree: complete, drawn as it is, and every error with a kind that programs can rely on."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import bugloss
from bugloss.core import errors
from bugloss.core.errors import BuglossError, MissingExtra


def everything_below(kind: type[BuglossError]) -> set[type[BuglossError]]:
    return {kind}.union(*(everything_below(child) for child in kind.__subclasses__()))


def drawn_tree() -> dict[str, str]:
    """Child to parent, read off the drawing in the module's docstring."""
    parents: dict[str, str] = {}
    branch: dict[int, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"^ {4}([│├└─ ]*)([A-Z]\w+(?:, [A-Z]\w+)*)(?: {2,}|$)", line)
        if match is None:
            continue
        depth = len(match[1]) // 4
        for name in match[2].split(", "):
            if depth:
                parents[name] = branch[depth - 1]
            branch[depth] = name
    return parents


def kinds_in_source() -> dict[str, str | None]:
    """Every error class of the package and its kind, read and not imported: some modules need a framework."""
    names = {kind.__name__ for kind in everything_below(BuglossError)}
    inherits = re.compile(rf"^class \w+\(.*\b({'|'.join(names)}|Exception)\b", re.MULTILINE)
    texts = [path.read_text() for path in sorted(Path(bugloss.__path__[0]).rglob("*.py"))]
    trees = [ast.parse(text) for text in texts if inherits.search(text)]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    kinds: dict[str, str | None] = {}
    for node in classes:
        if node.name == "BuglossError" or names & {ast.unparse(base) for base in node.bases}:
            given = [
                item.value
                for item in node.body
                if isinstance(item, ast.Assign) and ast.unparse(item.targets[0]) == "kind"
            ]
            kinds[node.name] = ast.literal_eval(given[0]) if given else None
    return kinds


def test_the_drawing_in_the_docstring_is_the_tree_of_the_module() -> None:
    own = {kind for kind in everything_below(BuglossError) if kind.__module__ == errors.__name__} - {BuglossError}
    assert drawn_tree() == {kind.__name__: kind.__bases__[0].__name__ for kind in own}


def test_every_error_of_the_house_has_a_kind_of_its_own() -> None:
    kinds = kinds_in_source()
    assert len(kinds) > 10
    assert all(kind and re.fullmatch(r"[a-z]+(-[a-z]+)*", kind) for kind in kinds.values()), kinds
    assert len(set(kinds.values())) == len(kinds), kinds


def test_an_error_carries_its_sentence_and_the_next_step_as_fields() -> None:
    error = BuglossError("It broke.", hint="Mend it.")
    assert (error.message, error.hint, str(error)) == ("It broke.", "Mend it.", "It broke.")


def test_a_missing_extra_gives_the_line_that_installs_it() -> None:
    error = MissingExtra("torch", "observing a live model")
    assert error.hint == "Install it: pip install 'bugloss[torch]'"
    assert error.extra in error.message


def is_made_of_a_sentence(kind: type[BuglossError]) -> bool:
    """Others, such as the errors of a server, are made of a status or a document."""
    return next(iter(inspect.signature(kind).parameters)) == "message"


@pytest.mark.parametrize(
    "kind", sorted(filter(is_made_of_a_sentence, everything_below(BuglossError)), key=lambda kind: kind.__name__)
)
def test_every_error_reads_as_its_sentence(kind: type[BuglossError]) -> None:
    """A KeyError would put its text in quotes: errors that are one too must not."""
    assert str(kind("there is no 'x'.")) == "there is no 'x'."
