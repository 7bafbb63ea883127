"""What a report says, as a ranking asks it: words by part, and everything in it that may point at a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bugloss.core.raised import Frame
from bugloss.core.report import BlockKind, FactKind, Reading
from bugloss.localize.index.source_facts import line_hashes, phrases_of
from bugloss.localize.index.tokens import count_terms, identifiers, terms_of

_PATH = re.compile(
    r"(?<![\w.~+/\\-])[/\\]?(?:[\w.~+-]{1,80}[/\\]){0,20}[\w+-]{1,80}"
    r"\.(?:pyx?|ipynb|cc|cpp|cuh?|hpp|h|ya?ml|cfg|toml|json|txt|sh|in)\b"
)
_DOTTED = re.compile(r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_FROM = re.compile(r"^[^\S\n]*+(?:>>> )?from\s++([\w.]++)\s++import\s++(\([^)]{0,2000}\)|[^\n#]+)", re.MULTILINE)
_NAME = re.compile(r"\b[A-Za-z_]\w{2,}\b")
_BREAK = re.compile(r"[.,;:!?()\[\]{}\"\n]")
_WORD = re.compile(r"[a-z0-9_]+")
_QUOTED = re.compile(r"`{1,2}([^`\n]{2,120})`{1,2}")
_LINK = re.compile(r"(?:blob|tree|raw|src)/[\w.-]{1,100}/([\w./+-]{1,300}\.\w+)(?:#L(\d+))?")
MARKUP = re.compile(r"</?denchmark-[^>]{0,400}>|https?://\S+|<[^>\n]{1,200}>")
_COUNTS_AS_CODE = (BlockKind.CODE, BlockKind.LOG, BlockKind.TRACEBACK)


@dataclass(frozen=True, slots=True)
class Query:
    """A report as a ranking sees it. ``frames`` of the last traceback stand last, innermost at the very end."""

    title: Mapping[str, int]
    prose: Mapping[str, int]
    code: Mapping[str, int]
    frames: tuple[Frame, ...]
    paths: tuple[str, ...]  # mentioned outside of tracebacks
    links: tuple[str, ...]  # paths inside links to source files
    dotted: tuple[str, ...]  # dotted names, also of from-imports
    title_names: frozenset[str]
    prose_names: frozenset[str]
    quoted_names: frozenset[str]  # set in code font by the author
    code_names: frozenset[str]
    errors: tuple[str, ...]  # messages of exceptions
    lines: frozenset[int]
    phrases: frozenset[int]
    spelling: Mapping[str, str] = field(default_factory=dict)  # a term as the report writes it
    title_joins: frozenset[str] = frozenset()  # two or three words in a row as one: "early stopping" is earlystopping
    prose_joins: frozenset[str] = frozenset()

    @property
    def words(self) -> Counter[str]:
        """All terms of the report."""
        return Counter(self.title) + Counter(self.prose) + Counter(self.code)

    @property
    def description(self) -> Counter[str]:
        """All terms but the title's."""
        return Counter(self.prose) + Counter(self.code)


def read_query(reading: Reading) -> Query:
    """The query that a report makes."""
    report = reading.report
    body = report.body
    code = "\n".join(block.text for block in reading.of_kind(*_COUNTS_AS_CODE))
    prose = "\n".join(block.text for block in reading.of_kind(BlockKind.PROSE))
    plain = MARKUP.sub(" ", prose)
    frames = tuple(frame for failure in reading.failures for frame in failure.frames)
    in_frames = {frame.path for frame in frames}
    errors = tuple(dict.fromkeys(filter(None, _errors(reading))))
    return Query(
        title=count_terms(report.title),
        prose=count_terms(plain),
        code=count_terms(code),
        frames=frames,
        paths=tuple(dict.fromkeys(path for path in _paths(report.text) if path not in in_frames)),
        links=tuple(dict.fromkeys(found[1] for found in _LINK.finditer(body))),
        dotted=tuple(dict.fromkeys(_dotted(report.text))),
        title_names=frozenset(_NAME.findall(report.title)),
        prose_names=frozenset(_NAME.findall(plain)),
        quoted_names=frozenset(name for quoted in _QUOTED.findall(report.text) for name in _NAME.findall(quoted)),
        code_names=frozenset(_NAME.findall(code)),
        errors=errors,
        lines=frozenset(_pasted_lines(code)),
        phrases=frozenset(phrase for message in (*errors, report.title) for phrase in phrases_of(message)),
        spelling=_spelling(identifiers(report.text)),
        title_joins=frozenset(_joins(report.title)),
        prose_joins=frozenset(_joins(plain)),
    )


def _joins(text: str) -> Iterator[str]:
    """Reports write names of code as plain words; joined, those in a row are the name again."""
    for part in _BREAK.split(text.lower()):
        words = [word.replace("_", "") for word in _WORD.findall(part)]
        for at in range(len(words) - 1):
            yield "".join(words[at : at + 2])
            if at + 2 < len(words):
                yield "".join(words[at : at + 3])


def _spelling(words: list[str]) -> dict[str, str]:
    """Stems are not shown: for each term the word that it comes from, the whole name for a name of parts."""
    found: dict[str, str] = {}
    for word in dict.fromkeys(words):
        terms = terms_of(word)
        if terms:
            found.setdefault(terms[-1], word)
    return found


def _errors(reading: Reading) -> Iterator[str]:
    """The messages of exceptions, shown or only named, as the source may spell them: one line each."""
    for failure in reading.failures:
        yield from (text.strip().split("\n", 1)[0] for text in (failure.exception.message, failure.text))
    yield from (fact.value.partition(": ")[2] for fact in reading.about(FactKind.EXCEPTION))


def _paths(text: str) -> Iterator[str]:
    for found in _PATH.finditer(text):
        yield found[0].replace("\\", "/")


def _dotted(text: str) -> Iterator[str]:
    yield from _DOTTED.findall(text)
    for found in _FROM.finditer(text):
        for name in found[2].strip("() \t").split(","):
            bare = name.split(" as ")[0].strip()
            if bare.isidentifier():
                yield f"{found[1]}.{bare}"


def _pasted_lines(code: str) -> Iterator[int]:
    """Lines of code blocks without the numbers and arrows that notebooks put before them."""
    yield from line_hashes(re.sub(r"^[ \t]*(?:-+>)?[ \t]*\d*[ \t]", "", code, flags=re.MULTILINE))
    yield from line_hashes(code)
