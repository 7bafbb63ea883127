"""The query language of ``--where``: ``category=tensor and (framework=torch or seconds<5)``.

A query compares fields with values by ``=``, ``!=``, ``~`` (contains), ``<``, ``<=``, ``>``, ``>=`` or
``in (a, b)``, and joins comparisons with ``and``, ``or``, ``not`` and parentheses. Field names, and the
labels of the taxonomy, are checked: a typing error is an error, not an empty result.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from bugloss.core.bug import BugKind, Framework, OracleKind, OriginKind, Status
from bugloss.core.bug_conditions import BugSetting
from bugloss.core.errors import InvalidInput
from bugloss.core.suggestion import did_you_mean
from bugloss.core.taxonomy import BugType, Category, EditAction, FixPattern, GeneralType, Origin, Property, SymptomType
from bugloss.corpus.entry import Entry
from bugloss.corpus.known_bug import KnownBug
from bugloss.stacks.stack import load_stack, stack_names

T = TypeVar("T")
Asked = Entry | KnownBug
Bug = TypeVar("Bug", Entry, KnownBug)
Field = Callable[[Any], object]
Test = Callable[[Any], bool]


@cache
def _python_of(stack: str) -> str:
    return load_stack(stack).python[0]


FIELDS: Mapping[str, Field] = {
    "id": lambda entry: entry.id,
    "title": lambda entry: entry.bug.title,
    "kind": lambda entry: entry.bug.kind.value,
    "framework": lambda entry: entry.bug.framework.value,
    "stack": lambda entry: entry.bug.stack,
    "python": lambda entry: _python_of(entry.bug.stack),
    "category": lambda entry: entry.bug.labels.category.value,
    "bug_type": lambda entry: entry.bug.labels.bug_type.value,
    "general_type": lambda entry: entry.bug.labels.general_type.value,
    "symptom": lambda entry: entry.bug.labels.symptom.value,
    "property": lambda entry: entry.bug.labels.property.value,
    "fix_pattern": lambda entry: entry.bug.labels.fix_pattern.value,
    "origin": lambda entry: entry.bug.labels.origin.value,
    "edit_actions": lambda entry: [action.value for action in entry.bug.labels.edit_actions],
    "oracle": lambda entry: entry.bug.oracle.kind.value,
    "exception": lambda entry: entry.bug.oracle.exception,
    "status": lambda entry: entry.status.value,
    "source": lambda entry: entry.bug.origin.kind.value,
    "url": lambda entry: entry.bug.origin.url,
    "aliases": lambda entry: list(entry.bug.origin.aliases),
    "seconds": lambda entry: entry.bug.seconds,
    "counterparts": lambda entry: list(entry.bug.counterparts),
    "settings": lambda entry: [setting.value for setting in entry.bug.settings],
    "fails_with": lambda entry: entry.bug.releases.fails if entry.bug.releases else "",
}

_CLOSED: Mapping[str, type[Enum]] = {
    "kind": BugKind,
    "framework": Framework,
    "category": Category,
    "bug_type": BugType,
    "general_type": GeneralType,
    "symptom": SymptomType,
    "property": Property,
    "fix_pattern": FixPattern,
    "origin": Origin,
    "edit_actions": EditAction,
    "oracle": OracleKind,
    "status": Status,
    "source": OriginKind,
    "settings": BugSetting,
}
_ORDER: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TOKEN = re.compile(r"""\s*(?:(?P<quoted>"[^"]*"|'[^']*')|(?P<symbol><=|>=|!=|[=<>~(),])|(?P<word>[^\s=<>~(),!"']+))""")


def select(entries: Iterable[Bug], query: str | None) -> list[Bug]:
    """The entries that the query lets through, in their order; no query lets all through."""
    return select_by(entries, query, _FIELDS)


def select_by(entries: Iterable[T], query: str | None, fields: Mapping[str, Callable[[T], object]]) -> list[T]:
    """The same for anything that has such fields."""
    test = parse(query, fields) if query else lambda entry: True
    return [entry for entry in entries if test(entry)]


def value_of(entry: Asked, field: str) -> object:
    """One field of a bug, by the name it has in queries."""
    return _field(field, _FIELDS)(entry)


def parse(query: str, fields: Mapping[str, Field] | None = None) -> Test:
    """The query as a predicate over entries, or over what else has these fields."""
    parser = _Parser(query, _FIELDS if fields is None else fields)
    try:
        test = parser.disjunction()
    except RecursionError:
        raise parser.error("it is nested too deeply") from None
    parser.expect_end()
    return test


class _Parser:
    """Recursive descent: disjunction, conjunction, negation, comparison."""

    def __init__(self, query: str, fields: Mapping[str, Field]) -> None:
        self.query = query
        self.fields = fields
        self.tokens = list(_tokens(query))

    def disjunction(self) -> Test:
        tests = [self.conjunction()]
        while self._take_word("or"):
            tests.append(self.conjunction())
        return tests[0] if len(tests) == 1 else lambda entry: any(test(entry) for test in tests)

    def conjunction(self) -> Test:
        tests = [self.negation()]
        while self._take_word("and"):
            tests.append(self.negation())
        return tests[0] if len(tests) == 1 else lambda entry: all(test(entry) for test in tests)

    def negation(self) -> Test:
        if self._take_word("not"):
            inner = self.negation()
            return lambda entry: not inner(entry)
        if self._take_symbol("("):
            inner = self.disjunction()
            self._need_symbol(")")
            return inner
        return self.comparison()

    def comparison(self) -> Test:
        field = self._need_value("a field")
        get = _field(field, self.fields)
        if self._take_word("in"):
            self._need_symbol("(")
            values = [self._checked(field)]
            while self._take_symbol(","):
                values.append(self._checked(field))
            self._need_symbol(")")
            return lambda entry: any(_equal(get(entry), value) for value in values)
        symbol = self._need_comparison(field)
        if symbol == "~":
            part = self._need_value("a text").lower()
            return lambda entry: part in str(get(entry)).lower()
        if symbol in _ORDER:
            return self._ordered(field, get, _ORDER[symbol])
        value = self._checked(field)
        return lambda entry: _equal(get(entry), value) is (symbol == "=")

    def _ordered(self, field: str, get: Callable[[Asked], object], compare: Callable[[float, float], bool]) -> Test:
        text = self._need_value("a number")
        if field != "seconds":
            raise self.error(f"'{field}' has no order; use = or ~")
        try:
            limit = float(text)
        except ValueError:
            raise self.error(f"'{text}' is not a number") from None
        return lambda entry: compare(float(str(get(entry))), limit)

    def _checked(self, field: str) -> str:
        value = self._need_value("a value")
        known = _known_values(field) if self.fields is _FIELDS else ()
        if known and value not in known:
            raise self.error(f"'{field}' has no value '{value}'", did_you_mean(value, known))
        return value

    def _take_word(self, word: str) -> bool:
        return self._take("word", word)

    def _take_symbol(self, symbol: str) -> bool:
        return self._take("symbol", symbol)

    def _take(self, kind: str, text: str) -> bool:
        if self.tokens and self.tokens[0] == (kind, text):
            self.tokens.pop(0)
            return True
        return False

    def _need_symbol(self, symbol: str) -> None:
        if not self._take_symbol(symbol):
            raise self.error(f"'{symbol}' is missing {self._place()}")

    def _need_comparison(self, field: str) -> str:
        if self.tokens and self.tokens[0][0] == "symbol" and self.tokens[0][1] not in "(),":
            return self.tokens.pop(0)[1]
        raise self.error(f"'{field}' must be compared with a value, as in {field}=value")

    def _need_value(self, what: str) -> str:
        if self.tokens and self.tokens[0][0] != "symbol":
            return self.tokens.pop(0)[1]
        raise self.error(f"{what} is missing {self._place()}")

    def expect_end(self) -> None:
        if self.tokens:
            raise self.error(f"'{self.tokens[0][1]}' is unexpected; join comparisons with and, or, not")

    def _place(self) -> str:
        return f"before '{self.tokens[0][1]}'" if self.tokens else "at the end"

    def error(self, problem: str, hint: str = "") -> InvalidInput:
        return InvalidInput(
            f"the query '{_shortened(self.query)}' is not valid: {problem}.",
            hint=hint or 'Example: --where "category=tensor and framework=torch"',
        )


def _shortened(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:120]}…"


def _tokens(query: str) -> Iterable[tuple[str, str]]:
    position, end = 0, len(query.rstrip())
    while position < end:
        match = _TOKEN.match(query, position)
        if match is None or match.lastgroup is None:
            raise InvalidInput(
                f"the query '{_shortened(query)}' is not valid at '{_shortened(query[position:].strip())}'."
            )
        text = match.group(match.lastgroup)
        yield ("quoted", text[1:-1]) if match.lastgroup == "quoted" else (match.lastgroup, text)
        position = match.end()


def _field(name: str, fields: Mapping[str, Field]) -> Field:
    if name not in fields:
        close = did_you_mean(name, fields)
        raise InvalidInput(f"there is no field '{name}'.", hint=close or f"Known: {', '.join(fields)}.")
    return fields[name]


def _reader(name: str) -> Callable[[Asked], object]:
    """A field of a bug, read from its folder or from what the index keeps of it."""
    return lambda asked: asked.fields[name] if isinstance(asked, KnownBug) else FIELDS[name](asked)


_FIELDS: Mapping[str, Field] = {name: _reader(name) for name in FIELDS}


@cache
def _known_values(field: str) -> tuple[str, ...]:
    if field == "stack":
        return tuple(stack_names())
    return tuple(str(member.value) for member in _CLOSED[field]) if field in _CLOSED else ()


def _equal(actual: object, wanted: str) -> bool:
    if isinstance(actual, list):
        return wanted in actual
    if isinstance(actual, float):
        return str(actual) == wanted or f"{actual:g}" == wanted
    return str(actual) == wanted
