"""Sentences and names use the words of the glossary: ``docs/avoided-words.toml`` lists what to write instead."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from package_source import trees

DOCS = Path(__file__).resolve().parents[2] / "docs"
AVOIDED = tomllib.loads((DOCS / "avoided-words.toml").read_text())
# A regular expression or SQL, not a sentence.
_NOT_PROSE = re.compile(r"\\[bsdwS]|\(\?|\[\^|^(?:SELECT|INSERT|CREATE|DELETE) ")


def pattern(kind: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(AVOIDED[kind])})\b", re.IGNORECASE)


def sentences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Docstrings, and texts of several words on one line; a value within a text is left out."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            text = node.value
        else:
            continue
        if id(node) in docstrings:
            yield node.lineno, " ".join(re.sub(r"```.*?```|``.*?``", "…", text, flags=re.DOTALL).split())
        elif " " in text.strip() and "\n" not in text.strip() and not _NOT_PROSE.search(text):
            yield node.lineno, text


def names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """What a module names: classes, functions, parameters and variables, as single words."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            name = node.name
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        else:
            continue
        yield node.lineno, re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", name)


def found() -> list[str]:
    """Where an avoided word is, and the word."""
    in_sentences, in_names = pattern("sentences"), pattern("names")
    places: list[str] = []
    for file, tree in trees().items():
        hits = [(line, match) for line, text in sentences(tree) for match in in_sentences.finditer(text)]
        hits += [(line, match) for line, text in names(tree) for match in in_names.finditer(text)]
        places += [f"{file}:{line}: {match[0]}" for line, match in sorted(hits, key=str)]
    return places


def test_no_sentence_and_no_name_has_an_avoided_word() -> None:
    assert found() == []


AVOIDED_SENTENCES = [
    "the report is no valid JSON", "this is a stranger's program", "the loss that speaks for it", "in every round",
    "pictures of digits", "one finding lies in another file", "A complaint of a rule.", "the class numbers",
]  # fmt: skip
PLAIN_SENTENCES = [
    "there is no file", "it is no longer read", "the value rounds to zero", "a class that stands for a layer",
    "0.1 is no larger than 1", "written by hand on purpose", "an unlikely class", "a king and a stranded learner",
]  # fmt: skip


@pytest.mark.parametrize("text", AVOIDED_SENTENCES)
def test_an_avoided_word_is_found(text: str) -> None:
    assert pattern("sentences").search(text)


@pytest.mark.parametrize("text", PLAIN_SENTENCES)
def test_other_uses_are_not_found(text: str) -> None:
    assert not pattern("sentences").search(text)


def test_only_prose_and_names_are_read() -> None:
    tree = ast.parse(
        '"""Told."""\nX = re.compile(r"\\btold wish\\b")\nY = "told"\ntold_size: int = f"was {told} here"\n'
    )
    assert [text for _, text in sentences(tree)] == ["Told.", "was … here"]
    assert [text for _, text in names(tree)] == ["X", "Y", "told size"]


def test_the_glossary_and_the_list_agree() -> None:
    """What the glossary says not to write is looked for here, or read by a person."""
    rows = [line.split("|") for line in (DOCS / "glossary.md").read_text().splitlines() if line.startswith("| ")]
    avoided = {word.strip() for row in rows for word in row[3].split(",")} - {"", "not", "---"}
    assert len(avoided) > 30
    search = pattern("sentences")
    missing = {word for word in avoided if not search.search(word)} - set(AVOIDED["right-elsewhere"]["words"])
    assert missing == set()
