"""What one source file says, worked out once per blob: terms by field, definitions with their lines, imports.

Reading is done with patterns and not with Python's parser: half of the history of deep learning is Python 2, a broken
file must be found too, and three milliseconds a file leave no time for a syntax tree.
"""

from __future__ import annotations

import re
import zlib
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from bugloss.localize.index.inside import Definition, Inside
from bugloss.localize.index.tokens import count_identifiers, count_terms, identifiers, terms_of_all

_LITERAL = re.compile(
    r"""\#[^\n]*|[rRbBuUfF]{0,2}(?:\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)|"(?:[^"\\\n]++|\\.){0,200}+"|'(?:[^'\\\n]++|\\.){0,200}+')"""
)
_C_LITERAL = re.compile(r"""//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|"(?:[^"\\\n]++|\\.){0,200}+"|'(?:[^'\\\n]++|\\.){0,200}+'""")
_DEFINITION = re.compile(r"^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)", re.MULTILINE)
_C_DEFINITION = re.compile(r"^([ \t]*)(?:template[^\n]*>\s*)?(class|struct)[ \t]+(\w+)", re.MULTILINE)
_IMPORT = re.compile(
    r"^[ \t]*+(?:from[ \t]++(\.*+[\w.]*+)[ \t]++import[ \t]++(\([^)]{0,5000}\)|[^\n]*)|import[ \t]++([^\n]*))",
    re.MULTILINE,
)
_WORDS = re.compile(r"[a-z]{2,}")
_PYTHON = (".py", ".pyx", ".pyi", ".pxd")
_C_LIKE = (".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".java", ".js", ".ts", ".go", ".rs", ".swift", ".proto")
_DOCUMENTATION = ('"""', "'''", 'r""')
SHORTEST_LINE = 12  # characters; shorter lines are in every file
_NO_INDENT = 1_000
_PHRASE = 3  # words


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """How often a term occurs in each of the four fields that BLUiR distinguishes."""

    classes: Mapping[str, int]
    methods: Mapping[str, int]
    variables: Mapping[str, int]
    comments: Mapping[str, int]

    def __iter__(self) -> Iterator[Mapping[str, int]]:
        return iter((self.classes, self.methods, self.variables, self.comments))


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """Everything that ranking asks about a file's content."""

    fields: FieldCounts
    inside: Inside
    imports: tuple[str, ...]
    lines: frozenset[int]  # hashes of its longer lines
    phrases: frozenset[int]  # hashes of three words in a row within its strings: what its messages say


def read_source(text: str, path: str) -> SourceFacts:
    """The facts of a file; its language follows from the path."""
    literal, definition = (_C_LITERAL, _C_DEFINITION) if path.endswith(_C_LIKE) else (_LITERAL, _DEFINITION)
    prose: list[str] = []

    def blank(found: re.Match[str]) -> str:
        prose.append(found[0])
        return " " + "\n" * found[0].count("\n")

    code = literal.sub(blank, text)
    inside = _inside(text, code, definition)
    definitions = inside.definitions
    classes = terms_of_all(d.name.rsplit(".", 1)[-1] for d in definitions if d.is_class)
    methods = terms_of_all(d.name.rsplit(".", 1)[-1] for d in definitions if not d.is_class)
    comments = count_terms("\n".join(prose))
    everything = count_identifiers(Counter(identifiers(code)))
    variables = everything - classes - methods
    imports = tuple(_imports(code)) if path.endswith(_PYTHON) else ()
    messages = (piece for piece in prose if " " in piece and piece[0] not in "#/" and piece[:3] not in _DOCUMENTATION)
    phrases = frozenset(phrase for message in messages for phrase in phrases_of(message))
    return SourceFacts(
        FieldCounts(classes, methods, variables, comments), inside, imports, frozenset(line_hashes(text)), phrases
    )


def _inside(text: str, code: str, pattern: re.Pattern[str]) -> Inside:
    """Classes, and functions that do not stand inside another function."""
    found = list(pattern.finditer(code))
    if not found:
        return Inside()
    lines, raw = code.split("\n"), text.split("\n")
    starts = _line_starts(lines)
    indents = [_indent(line) for line in lines]
    open_ones: list[tuple[int, str, bool]] = []
    definitions, counts = [], []
    for match in found:
        line = bisect_right(starts, match.start(2)) - 1
        indent = len(match[1].expandtabs())
        while open_ones and open_ones[-1][0] >= indent:
            open_ones.pop()
        inside_function = any(not is_class for _, _, is_class in open_ones)
        is_class = match[2] != "def"
        open_ones.append((indent, match[3], is_class))
        if inside_function:
            continue
        end = _end(indents, line, indent)
        name = ".".join(name for _, name, _ in open_ones)
        counts.append(Counter() if is_class else count_terms("\n".join(raw[line:end])))
        definitions.append(Definition(name, is_class, line + 1, end, counts[-1].total()))
    return Inside.of(definitions, counts)


def _line_starts(lines: Sequence[str]) -> list[int]:
    return list(accumulate((len(line) + 1 for line in lines), initial=0))


def _indent(line: str) -> int:
    """Columns before the first character; a blank line, and one that only closes brackets, ends nothing."""
    stripped = line.lstrip()
    if not stripped or stripped[0] in ")]}":
        return _NO_INDENT
    indent = len(line) - len(stripped)
    return indent if "\t" not in line[:indent] else len(line[:indent].expandtabs())


def _end(indents: Sequence[int], start: int, indent: int) -> int:
    """The number of the last line of what begins in line ``start`` (from 0)."""
    at, last = start + 1, start + 1
    while at < len(indents) and indents[at] > indent:
        at += 1
        if indents[at - 1] < _NO_INDENT:
            last = at
    return last


def _imports(code: str) -> Iterator[str]:
    """Dotted names as written; ``from a import b`` gives ``a`` and ``a.b``, relative ones keep their dots."""
    for found in _IMPORT.finditer(code):
        module, names, plain = found.groups()
        if plain is not None:
            yield from (part.split(" as ")[0].strip() for part in plain.split(","))
            continue
        yield module
        for name in names.strip("()").replace("\\", " ").split(","):
            bare = name.split(" as ")[0].strip()
            if bare.isidentifier():
                yield f"{module}{bare}" if module.endswith(".") else f"{module}.{bare}"


def line_hashes(text: str) -> Iterator[int]:
    """A number for each line that is long enough to be recognised elsewhere; indentation does not count."""
    for line in text.split("\n"):
        bare = line.strip()
        if len(bare) >= SHORTEST_LINE:
            yield zlib.crc32(bare.encode())


def phrases_of(text: str) -> Iterator[int]:
    """A number for each three words in a row."""
    words = _WORDS.findall(text.lower())
    for at in range(len(words) - _PHRASE + 1):
        yield zlib.crc32(" ".join(words[at : at + _PHRASE]).encode())


def packed(numbers: frozenset[int]) -> bytes:
    """Hashes as bytes, for keeping."""
    return array("I", sorted(numbers)).tobytes()


def unpacked(data: bytes) -> array[int]:
    """The hashes in bytes."""
    numbers = array("I")
    numbers.frombytes(data)
    return numbers
