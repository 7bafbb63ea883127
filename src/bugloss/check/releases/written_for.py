"""Which releases a program was written for: its names, parameters, ways of writing and syntax against what each has.

A candidate is a set of releases, such as a stack has. Each clue against it has a weight; the candidate with the
lowest sum is the likeliest, and among nearly equal ones the first. A name that a release lacks stops the program; a
deprecated one only shows that the program may be older.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from bugloss.check.releases.api_use import ApiUse, api_uses
from bugloss.check.releases.catalogue import FOLDER, NameState, entry, resolve, signature, signature_history
from bugloss.check.releases.replacement import by_table, of_parameters
from bugloss.check.releases.requirement import Version, parse_version
from bugloss.source.program import Program
from bugloss.source.text.names import canonical
from bugloss.source.text.source_file import Skipped, parse_source

_STOPS = 1.0  # a name or parameter that is not there raises an exception
_SWALLOWED = 0.6  # the signature takes any keyword; the release may accept the old name or refuse it
_OUTDATED = 0.3  # a warning at most, and it counts once: one release warns of little, another of half its names
_NEARLY = 0.35  # no more than something outdated
_SYNTAX = 2.0  # not one line of the program runs
# Every layer takes these, whether its signature names them or hands them on.
_OF_ALL_LAYERS = {
    "input_shape",
    "input_dim",
    "input_length",
    "batch_input_shape",
    "name",
    "dtype",
    "trainable",
    "weights",
}
_MODEL, _BASE = "keras.models.Sequential", "keras.models.Model"
_BAR = re.compile(r" \|(?= )")  # between cells; the patterns have bars without spaces


@dataclass(frozen=True, slots=True)
class CandidateReleases:
    """A set of releases that a program could have been written for."""

    name: str
    releases: Mapping[str, str]
    python: str = ""  # the newest that it has


@dataclass(frozen=True, slots=True)
class ReleaseClue:
    """Something in a program that counts against a candidate."""

    weight: float
    words: str


@dataclass(frozen=True, slots=True)
class Likelihood:
    """How much counts against a candidate, and why it is chosen: clues that weigh more against others."""

    name: str
    against: float
    reasons: tuple[str, ...]


def rank_candidates(sources: Sequence[str], candidates: Sequence[CandidateReleases]) -> list[Likelihood]:
    """The candidates, the likeliest first."""
    programs = list(_programs(sources))
    against = {one.name: dict(_clues(programs, one)) for one in candidates}
    weights = {name: _sum(clues.values()) for name, clues in against.items()}
    lightest = min(weights.values(), default=0.0)
    ranked = sorted(candidates, key=lambda one: max(weights[one.name] - lightest, _NEARLY))
    return [Likelihood(one.name, weights[one.name], _reasons(one.name, ranked, against)) for one in ranked]


def _sum(weights: Iterable[float]) -> float:
    known = list(weights)
    heavy = sum(weight for weight in known if weight > _OUTDATED)
    return round(heavy + max((weight for weight in known if weight <= _OUTDATED), default=0.0), 3)


def clues_against(program: Program, candidate: CandidateReleases) -> Iterator[ReleaseClue]:
    """What a program has that the candidate's releases lack; each name once."""
    seen = dict(_clues([program], candidate))
    return (ReleaseClue(weight, words) for words, weight in seen.items())


def _programs(sources: Sequence[str]) -> Iterator[Program]:
    for number, text in enumerate(sources):
        source = parse_source(text, f"source{number}.py")
        if not isinstance(source, Skipped):
            yield Program(source)


def _reasons(
    name: str, ranked: Sequence[CandidateReleases], against: Mapping[str, Mapping[str, float]]
) -> tuple[str, ...]:
    """The weightiest clues against the others, as far as they weigh less against this one."""
    found: dict[str, float] = {}
    for other in ranked:
        if other.name != name:
            for words, weight in against[other.name].items():
                if weight > against[name].get(words, 0.0):
                    found[words] = max(weight, found.get(words, 0.0))
    return tuple(sorted(found, key=lambda words: (-found[words], words)))


def _clues(programs: Sequence[Program], candidate: CandidateReleases) -> Iterator[tuple[str, float]]:
    for program in programs:
        for use in api_uses(program).all:
            if use.package in candidate.releases:
                yield from _of_name(use, candidate.releases)
                yield from _of_keywords(use, candidate.releases)
        yield from _of_methods(program, candidate.releases)
        yield from _of_idioms(program.source.text, candidate.releases)
        needed = oldest_python(program)
        if candidate.python and parse_version(candidate.python) < needed:
            yield f"syntax of Python {'.'.join(map(str, needed))}", _SYNTAX


def _of_name(use: ApiUse, releases: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    release = releases[use.package]
    state = resolve(use.package, use.symbol, release)
    word = use.symbol.removeprefix("tensorflow.").removeprefix("keras.")
    if state.state in {NameState.REMOVED, NameState.NOT_YET}:
        yield word, _STOPS
    elif state.deprecated or _is_outdated(use.symbol, releases):
        yield word, _OUTDATED


def _is_outdated(symbol: str, releases: Mapping[str, str]) -> bool:
    name = canonical(symbol)
    package = name.split(".")[0]
    line = by_table(package, name) if package in releases else None
    return line is not None and line.is_deprecated(releases[package])


def _of_keywords(use: ApiUse, releases: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    for keyword in use.call.keywords if use.call is not None else ():
        if keyword.arg is not None and keyword.arg not in _OF_ALL_LAYERS:
            weight = _weight_of_keyword(use.package, use.symbol, keyword.arg, releases[use.package])
            if weight == _SWALLOWED and _is_outdated_parameter(use.symbol, keyword.arg, releases):
                weight = _OUTDATED
            if weight:
                yield f"{keyword.arg}=", weight


def _is_outdated_parameter(symbol: str, keyword: str, releases: Mapping[str, str]) -> bool:
    """Whether the table says that the release still takes it, under protest."""
    name = canonical(symbol)
    package = name.split(".")[0]
    lines = of_parameters(package, name) if package in releases else ()
    return any(line.parameter == keyword and line.is_deprecated(releases[package]) for line in lines)


def _of_methods(program: Program, releases: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    """Methods of models, by their names: whoever calls ``x.fit(nb_epoch=3)`` means a model."""
    release = releases.get("keras")
    if release is None or not {"keras", "tensorflow"} & program.names.roots:
        return
    for call in program.nodes[ast.Call]:
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        symbol = f"{_MODEL}.{call.func.attr}"
        known = entry("keras", symbol)
        if known is None:
            continue
        # A method that is deprecated in every release was an attribute of instances before, which a catalogue lacks.
        lacking = resolve("keras", symbol, release).state in {NameState.REMOVED, NameState.NOT_YET}
        if lacking and known.deprecated < known.present:
            yield f"{call.func.attr}()", _STOPS
        for keyword in call.keywords:
            named = keyword.arg or ""
            # The methods of Sequential pass on what they do not know to those of Model, which may refuse it.
            symbols = (symbol, f"{_BASE}.{call.func.attr}")
            weight = max(_weight_of_keyword("keras", one, named, release) for one in symbols)
            if weight:
                yield f"{named}=", weight


@cache
def _weight_of_keyword(package: str, symbol: str, keyword: str, release: str) -> float:
    """What an unknown keyword weighs: nothing unless another release names it.

    A signature that takes any keyword hands it on to a base class; one that it named before, it has given up.
    """
    parameters = signature(package, symbol, release)
    if parameters is None or any(one.name == keyword for one in parameters):
        return 0.0
    naming = [
        first
        for first, known in signature_history(package, symbol)
        if any(one.name == keyword and not one.kind.startswith("*") for one in known)
    ]
    if not any(one.kind == "**" for one in parameters):
        return _STOPS if naming else 0.0
    return _SWALLOWED if any(parse_version(first) < parse_version(release) for first in naming) else 0.0


@dataclass(frozen=True, slots=True)
class Idiom:
    """A way of writing, and the releases of a package in which it is at home."""

    package: str
    first: Version
    last: Version
    weight: float
    pattern: re.Pattern[str]
    words: str

    def is_at_home(self, release: Version) -> bool:
        return (not self.first or release >= self.first) and (not self.last or release[: len(self.last)] <= self.last)


@cache
def idioms() -> tuple[Idiom, ...]:
    """The table of idioms."""
    rows = (FOLDER / "idioms.txt").read_text(encoding="utf-8").splitlines()
    cells = ([cell.strip() for cell in _BAR.split(row)] for row in rows if row and not row.startswith("#"))
    return tuple(
        Idiom(package, parse_version(first), parse_version(last), float(weight), re.compile(pattern), words)
        for package, first, last, weight, pattern, words in cells
    )


def _of_idioms(text: str, releases: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    for idiom in idioms():
        release = releases.get(idiom.package)
        if release is not None and not idiom.is_at_home(parse_version(release)) and idiom.pattern.search(text):
            yield idiom.words, idiom.weight


_SINCE: tuple[tuple[type[ast.AST], Version], ...] = (
    (ast.Match, (3, 10)),
    (ast.TryStar, (3, 11)),
    (ast.NamedExpr, (3, 8)),
)


def oldest_python(program: Program) -> Version:
    """The first release of Python that has the program's syntax, as far as it is newer than 3.6."""
    needed = [since for kind, since in _SINCE if program.nodes[kind]]
    positional = [node for node in program.nodes[ast.arguments] if getattr(node, "posonlyargs", None)]
    return max([*needed, *([(3, 8)] if positional else [])], default=(3, 6))
