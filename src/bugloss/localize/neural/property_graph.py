"""A Python file as a code property graph: statements joined by syntax, control flow and data flow.

A node is the module, a definition, or a statement; it holds the hashed terms of what it says itself, without the
statements inside of it. A file that today's parser refuses (Python 2, a notebook's magic, a merge gone wrong) becomes a
chain of its lines.
"""

from __future__ import annotations

import ast
import re
import struct
import warnings
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bugloss.core.python_text import parse_python
from bugloss.localize.index.tokens import identifiers, terms_of
from bugloss.localize.neural.statement import StatementTerms, arguments_of

BUCKETS = 8_192  # a term is known by one of so many numbers
MOST_NODES = 3_000
_MOST_TERMS = 12  # of a node
SYNTAX, CONTROL, DATA = range(3)
EDGE_KINDS = 3
KINDS = (
    *("Module", "ClassDef", "FunctionDef", "Assign", "Expr", "If", "For", "While", "Return", "With", "Try"),
    *("Raise", "Import", "Assert", "Other"),
)
_KIND_OF = {name: at for at, name in enumerate(KINDS)}
DEFINITIONS = frozenset((_KIND_OF["ClassDef"], _KIND_OF["FunctionDef"]))
_SAME = {"AsyncFunctionDef": "FunctionDef", "AsyncFor": "For", "AsyncWith": "With", "ImportFrom": "Import"}
_SAME |= {"AugAssign": "Assign", "AnnAssign": "Assign", "TryStar": "Try"}
_DEFINITION = re.compile(r"^\s*(?:async\s+)?(def|class)\b")


@dataclass(frozen=True, slots=True)
class PropertyGraph:
    """Nodes in the order of the text. ``edges`` has pairs in a row for each of the three kinds."""

    kinds: array[int]
    owners: array[int]  # the definition that contains a node; the module is node 0
    starts: array[int]  # where the terms of a node begin; one more than there are nodes
    terms: array[int]
    edges: tuple[array[int], array[int], array[int]]

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.kinds)

    def terms_of_node(self, node: int) -> Sequence[int]:
        """The numbers of a node's terms."""
        return self.terms[self.starts[node] : self.starts[node + 1]]

    def to_bytes(self) -> bytes:
        """For keeping."""
        parts = (self.kinds, self.owners, self.starts, self.terms, *self.edges)
        sizes = struct.pack(f"<{len(parts)}I", *(len(part) for part in parts))
        return sizes + zlib.compress(b"".join(part.tobytes() for part in parts), 1)

    @classmethod
    def from_bytes(cls, data: bytes) -> PropertyGraph:
        """What was kept."""
        codes = "BHIHHHH"
        sizes = struct.unpack_from(f"<{len(codes)}I", data)
        content, at, parts = zlib.decompress(data[4 * len(codes) :]), 0, []
        for code, size in zip(codes, sizes, strict=True):
            part = array(code)
            end = at + size * part.itemsize
            part.frombytes(content[at:end])
            parts.append(part)
            at = end
        kinds, owners, starts, terms, syntax, control, flow = parts
        return cls(kinds, owners, starts, terms, (syntax, control, flow))


def bucket(term: str) -> int:
    """The number of a term."""
    return zlib.crc32(term.encode()) % BUCKETS


def read_graph(text: str) -> PropertyGraph:
    """The graph of a file."""
    builder = _Builder()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = parse_python(text)
        builder.module(module)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        builder = _Builder()
        builder.lines(text)
    return builder.graph()


@dataclass(slots=True)
class _Scope:
    """A function or the module while its statements are read: its node, and who last defined each variable."""

    node: int
    defined: dict[str, frozenset[int]] = field(default_factory=dict)
    breaks: list[set[int]] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)


class _Full(Exception):
    """The graph has as many nodes as it may have."""


@dataclass(slots=True)
class _Builder:
    kinds: array[int] = field(default_factory=lambda: array("B"))
    owners: array[int] = field(default_factory=lambda: array("H"))
    starts: array[int] = field(default_factory=lambda: array("I", [0]))
    terms: array[int] = field(default_factory=lambda: array("H"))
    edges: tuple[array[int], array[int], array[int]] = field(
        default_factory=lambda: (array("H"), array("H"), array("H"))
    )

    def graph(self) -> PropertyGraph:
        return PropertyGraph(self.kinds, self.owners, self.starts, self.terms, self.edges)

    def _add(self, kind: str, owner: int, words: Iterable[str]) -> int:
        if len(self.kinds) >= MOST_NODES:
            raise _Full
        self.kinds.append(_KIND_OF.get(_SAME.get(kind, kind), _KIND_OF["Other"]))
        self.owners.append(owner)
        self.terms.extend(_numbers(words))
        self.starts.append(len(self.terms))
        return len(self.kinds) - 1

    def _join(self, kind: int, one: int, other: int) -> None:
        self.edges[kind].extend((one, other))

    def lines(self, text: str) -> None:
        """What cannot be parsed: each line after the one before it, definitions owning what follows them."""
        owner = last = self._add("Module", 0, ())
        for line in text.splitlines()[: MOST_NODES - 1]:
            if not line.strip():
                continue
            opens = _DEFINITION.match(line)
            kind = "Other" if opens is None else "FunctionDef" if opens[1] == "def" else "ClassDef"
            node = self._add(kind, 0 if opens else owner, identifiers(line))
            self._join(SYNTAX, 0 if opens else owner, node)
            self._join(CONTROL, last, node)
            owner, last = node if opens else owner, node

    def module(self, module: ast.Module) -> None:
        """The whole file; one that is too large is read as far as it fits."""
        scope = _Scope(self._add("Module", 0, identifiers(ast.get_docstring(module) or "")[:40]))
        try:
            self._block(module.body, scope.node, scope, {scope.node})
        except _Full:
            return

    def _block(self, body: Sequence[ast.stmt], parent: int, scope: _Scope, before: set[int]) -> set[int]:
        """Statements in a row; what enters are the nodes that control comes from, what leaves those it goes on from."""
        for statement in body:
            terms = StatementTerms.of(statement)
            node = self._add(type(statement).__name__, scope.node, terms.words)
            self._join(SYNTAX, parent, node)
            for earlier in sorted(before):
                self._join(CONTROL, earlier, node)
            self._flow(terms, node, scope)
            before = self._after(statement, node, scope)
        return before

    def _flow(self, terms: StatementTerms, node: int, scope: _Scope) -> None:
        """Edges from where the names that a statement reads were last set."""
        for source in sorted({source for name in terms.reads for source in scope.defined.get(name, ())}):
            if source != node:
                self._join(DATA, source, node)
        for name in terms.writes:
            scope.defined[name] = frozenset((node,))

    def _after(self, statement: ast.stmt, node: int, scope: _Scope) -> set[int]:
        """Reads what is inside a statement, and returns where control continues."""
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                inner = _Scope(node, {argument: frozenset((node,)) for argument in arguments_of(statement)})
                self._block(statement.body, node, inner, {node})
                return {node}
            case ast.Return() | ast.Raise():
                return set()
            case ast.Break():
                if scope.breaks:
                    scope.breaks[-1].add(node)
                return set()
            case ast.Continue():
                if scope.heads:
                    self._join(CONTROL, node, scope.heads[-1])
                return set()
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(statement, node, scope)
        return self._branches(statement, node, scope)

    def _loop(self, statement: ast.For | ast.AsyncFor | ast.While, node: int, scope: _Scope) -> set[int]:
        before = dict(scope.defined)
        scope.breaks.append(set())
        scope.heads.append(node)
        for last in sorted(self._block(statement.body, node, scope, {node})):
            self._join(CONTROL, last, node)
        scope.heads.pop()
        left = scope.breaks.pop()
        scope.defined = _merged((before, scope.defined))
        return self._block(statement.orelse, node, scope, {node}) | left

    def _branches(self, statement: ast.stmt, node: int, scope: _Scope) -> set[int]:
        """Blocks of which each may be entered from the statement itself."""
        blocks = list(_blocks(statement))
        if not blocks:
            return {node}
        if isinstance(statement, ast.With | ast.AsyncWith):
            return self._block(blocks[0], node, scope, {node})
        before, after, ends = dict(scope.defined), [], set()
        for block in blocks:
            scope.defined = dict(before)
            last = self._block(block, node, scope, {node})
            ends |= last
            after += [scope.defined] if last else []
        if not (isinstance(statement, ast.If) and statement.orelse):
            ends.add(node)
            after.append(before)
        scope.defined = _merged(after) if after else before
        return ends


def _merged(tables: Iterable[dict[str, frozenset[int]]]) -> dict[str, frozenset[int]]:
    found: dict[str, frozenset[int]] = {}
    for table in tables:
        for name, nodes in table.items():
            found[name] = found.get(name, frozenset()) | nodes
    return found


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list) and block:
            yield block
    for handler in getattr(statement, "handlers", ()):
        yield handler.body
    for case in getattr(statement, "cases", ()):
        yield case.body


def _numbers(words: Iterable[str]) -> list[int]:
    found: dict[int, None] = {}
    for word in words:
        for term in terms_of(word):
            found[bucket(term)] = None
        if len(found) >= _MOST_TERMS:
            break
    return list(found)[:_MOST_TERMS]
