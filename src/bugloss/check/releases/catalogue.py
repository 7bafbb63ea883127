"""What the libraries offer in which release: present, removed, not yet there, with which parameters.

The facts are in ``catalogues/*.txt.gz``, written by ``scripts/catalogue.py``. A package's file is read when its first
name is asked for; its lines are sorted, so that a name is found by bisection and only the lines asked for are taken
apart. A release between two that were sampled is known only where both say the same.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path

from bugloss.check.releases.requirement import parse_version

FOLDER = Path(__file__).parent / "catalogues"
# Parts of the libraries that are not meant for others, though their names do not say so.
INTERNAL = ("tensorflow.python.", "tensorflow.compat.", "keras.src.", "keras.api.", "numpy.core.", "numpy.lib.")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
SIMILAR = 0.85  # of difflib: one or two letters of a name are wrong
_AS_TYPED = 0.6  # of difflib: swapped letters in a short name; whoever asks tries what it gets
SIMILAR_WORD = 0.7  # of each word of it: one letter of three, two of five
SHORTEST_WORD = 4  # shorter names are similar to too many others
_FEW_LETTERS = 2
FULL_MODULE = 10  # names: modules with fewer may offer others on demand


class NameState(Enum):
    """The state of a name in a release."""

    PRESENT = "present"
    REMOVED = "removed"
    NOT_YET = "not-yet"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a signature; ``kind`` is "", "/" (by position only), "k" (by keyword only), "*" or "**"."""

    name: str
    kind: str = ""
    optional: bool = False


Signature = tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """Everything that is known of a name; numbers are places in the list of sampled releases."""

    name: str
    kind: str
    present: frozenset[int]
    deprecated: frozenset[int]
    signatures: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The state of a name in a release, and the sampled releases that tell: last with it, first without, first with."""

    state: NameState
    name: str = ""
    kind: str = ""
    last: str = ""
    gone: str = ""
    since: str = ""
    deprecated: bool = False


_UNKNOWN = Resolution(NameState.UNKNOWN)


@cache
def _lines(package: str) -> list[str]:
    path = FOLDER / f"{package}.txt.gz"
    return gzip.decompress(path.read_bytes()).decode().split("\n") if path.is_file() else [""]


@cache
def releases(package: str) -> tuple[str, ...]:
    """The sampled releases of a package, oldest first; only the head of the file is read."""
    path = FOLDER / f"{package}.txt.gz"
    if not path.is_file():
        return ()
    with gzip.open(path, "rt", encoding="utf-8") as text:
        return tuple(text.readline().split())


@lru_cache(maxsize=4096)
def entry(package: str, symbol: str) -> CatalogueEntry | None:
    """What is recorded of a name."""
    lines = _lines(package)
    place = bisect_left(lines, symbol, lo=1)
    # A tab sorts before every character of a name, so the line of a name stands before its members.
    if place == len(lines) or not (lines[place] == symbol or lines[place].startswith(f"{symbol}\t")):
        return None
    name, kind, present, deprecated, signatures = (lines[place].split("\t") + [""] * 4)[:5]
    everywhere = frozenset(range(len(releases(package))))
    parts = [part.partition(":") for part in signatures.split(";") if part]
    return CatalogueEntry(
        name,
        kind,
        _places(present) if present else everywhere,
        _places(deprecated),
        tuple((_DIGITS.index(first), text) for first, _, text in parts),
    )


def _places(runs: str) -> frozenset[int]:
    pairs = zip(runs[::2], runs[1::2], strict=False)
    return frozenset(place for first, last in pairs for place in range(_DIGITS.index(first), _DIGITS.index(last) + 1))


@lru_cache(maxsize=256)
def _around(package: str, version: str) -> tuple[int, int] | None:
    """The places of the nearest sampled releases at or below and at or above a version."""
    wanted = parse_version(version)[:2]
    sampled = [parse_version(release)[:2] for release in releases(package)]
    if not wanted or not sampled or wanted < sampled[0]:
        return None
    below = max(place for place, release in enumerate(sampled) if release <= wanted)
    above = min((place for place, release in enumerate(sampled) if release >= wanted), default=below)
    return below, above


@lru_cache(maxsize=8192)
def resolve(package: str, symbol: str, version: str) -> Resolution:
    """The state of a name in a release; a name below something that was removed is removed with it."""
    parts = symbol.split(".")
    for length in range(len(parts), 1, -1):
        found = entry(package, ".".join(parts[:length]))
        if found is not None:
            resolution = _resolve_entry(package, found, version)
            exact = length == len(parts)
            return resolution if exact or resolution.state in {NameState.REMOVED, NameState.NOT_YET} else _UNKNOWN
    return _UNKNOWN


def _resolve_entry(package: str, found: CatalogueEntry, version: str) -> Resolution:
    around = _around(package, version)
    if around is None or not found.present:
        return _UNKNOWN
    here = [place in found.present for place in around]
    if all(here):
        deprecated = all(place in found.deprecated for place in around)
        return Resolution(NameState.PRESENT, found.name, found.kind, deprecated=deprecated)
    if any(here):
        return _UNKNOWN
    sampled = releases(package)
    before = [place for place in found.present if place < around[0]]
    if not before:
        return Resolution(NameState.NOT_YET, found.name, found.kind, since=sampled[min(found.present)])
    last = max(before)
    return Resolution(NameState.REMOVED, found.name, found.kind, last=sampled[last], gone=sampled[last + 1])


def signature(package: str, symbol: str, version: str) -> tuple[Parameter, ...] | None:
    """The parameters in a release; None where they cannot be read or the neighbouring samples differ."""
    found, around = entry(package, symbol), _around(package, version)
    if found is None or around is None or not all(place in found.present for place in around):
        return None
    texts = {_signature_at(found, place) for place in around}
    text = texts.pop()
    return None if texts or text is None else _parameters(text)


def signature_history(package: str, symbol: str) -> tuple[tuple[str, tuple[Parameter, ...]], ...]:
    """All signatures that could be read, each with the sampled release that first has it."""
    found = entry(package, symbol)
    if found is None:
        return ()
    sampled = releases(package)
    known = ((sampled[place], _parameters(text)) for place, text in found.signatures)
    return tuple((release, parameters) for release, parameters in known if parameters is not None)


@lru_cache(maxsize=4096)
def known_signatures(package: str, symbol: str) -> list[Signature]:
    """Every signature of a name, or none where one of them cannot be read: it might take anything."""
    found = entry(package, symbol)
    if found is None or any(_parameters(text) is None for _, text in found.signatures):
        return []
    return [parameters for _, parameters in signature_history(package, symbol)]


def is_class(package: str, symbol: str) -> bool:
    """Whether a name is a class in the releases that have it."""
    found = entry(package, symbol)
    return found is not None and found.kind == "c"


def _signature_at(found: CatalogueEntry, place: int) -> str | None:
    texts = [text for first, text in found.signatures if first <= place]
    return texts[-1] if texts else None


@lru_cache(maxsize=4096)
def _parameters(text: str) -> tuple[Parameter, ...] | None:
    if text == "?":
        return None
    parameters: list[Parameter] = []
    keyword_only = False
    for word in filter(None, text.split(",")):
        if word == "/":
            parameters = [Parameter(one.name, "/", one.optional) for one in parameters]
        elif word.startswith("*"):
            keyword_only = True
            if word != "*":
                name = word.lstrip("*")
                parameters.append(Parameter(name, "*" * (len(word) - len(name))))
        else:
            parameters.append(Parameter(word.removesuffix("="), "k" if keyword_only else "", word.endswith("=")))
    return tuple(parameters)


@cache
def _by_last_word(package: str) -> dict[str, list[str]]:
    """The public classes of a package by their bare name."""
    found: dict[str, list[str]] = {}
    for line in _lines(package)[1:]:
        name, kind = line.split("\t", 2)[:2]
        tail = name[name.rfind(".") + 1 :]
        if kind == "c" and tail[:1].isupper() and not _is_internal(name):
            found.setdefault(tail, []).append(name)
    return found


@lru_cache(maxsize=512)
def same_name_elsewhere(package: str, symbol: str, version: str) -> str | None:
    """Where a class lives in a release: one step away, or where exactly one public place is the shortest."""
    names = _by_last_word(package).get(symbol.rsplit(".", 1)[-1], [])
    present = [name for name in names if resolve(package, name, version).state is NameState.PRESENT]
    parts = symbol.split(".")
    # The same path with one part left out is a nearer relative than any other place.
    near = [".".join((*parts[:place], *parts[place + 1 :])) for place in range(len(parts) - 2, 0, -1)]
    for name in near:
        if name in present:
            return name
    shortest = [name for name in present if name.count(".") == min(other.count(".") for other in present)]
    return shortest[0] if len(shortest) == 1 else None


@cache
def _homes_by_last_word(package: str) -> dict[str, list[str]]:
    """The public names of a package by their last word, modules included."""
    found: dict[str, list[str]] = {}
    for line in _lines(package)[1:]:
        name = line.split("\t", 1)[0]
        if "." in name and not _is_internal(name):
            found.setdefault(name[name.rfind(".") + 1 :], []).append(name)
    return found


@lru_cache(maxsize=1024)
def homes(package: str, word: str, version: str) -> tuple[str, ...]:
    """The qualified names of a release that end in a word: where ``Dense``, say, can be imported from."""
    names = _homes_by_last_word(package).get(word, ())
    return tuple(name for name in names if resolve(package, name, version).state is NameState.PRESENT)


@cache
def _members(package: str) -> dict[str, list[str]]:
    """The public names of each public module of a package, without its modules."""
    found: dict[str, list[str]] = {}
    for line in _lines(package)[1:]:
        name, _, rest = line.partition("\t")
        if not rest.startswith("m") and not _is_internal(name):
            owner, _, tail = name.rpartition(".")
            found.setdefault(owner, []).append(tail)
    return found


@lru_cache(maxsize=1024)
def misspelled(package: str, symbol: str) -> str:
    """The name of a module's member that is meant by a name which no release has; empty where none is similar."""
    owner, _, name = symbol.rpartition(".")
    module = entry(package, owner) if "." in owner or owner == package else None
    is_module = owner == package or (module is not None and module.kind == "m")
    if not is_module or _is_internal(symbol) or entry(package, symbol) is not None or len(name) < SHORTEST_WORD:
        return ""
    known = _members(package).get(owner, [])
    plain = name.replace("_", "").lower()
    near = [one for one in known if one.replace("_", "").lower() == plain]
    if not near and len(known) >= FULL_MODULE:
        # avg_pool2d is not a misspelling of avg_pool1d: functions written in C++ are not all in the catalogues.
        near = get_close_matches(name, [one for one in known if _may_be_meant(name, one)], 1, SIMILAR)
    return next(iter(near), "")


@cache
def _named_within(package: str) -> dict[str, list[str]]:
    """The public names of each public module of a package, with its modules."""
    found: dict[str, list[str]] = {}
    for line in _lines(package)[1:]:
        name = line.partition("\t")[0]
        if not _is_internal(name):
            owner, _, tail = name.rpartition(".")
            found.setdefault(owner, []).append(tail)
    return found


def similar(symbol: str, most: int) -> tuple[str, ...]:
    """Members of the module that are spelled nearly like a name that it does not have; swapped letters come first."""
    owner, _, name = symbol.rpartition(".")
    if not owner or entry(owner.split(".")[0], symbol) is not None:
        return ()  # a name of another release is not misspelled
    known = _named_within(owner.split(".")[0]).get(owner, [])
    package = owner.split(".")[0]
    near = get_close_matches(name, [one for one in known if one != name], 2 * most, _AS_TYPED)
    newest = releases(package)[-1] if releases(package) else ""
    near = [one for one in near if resolve(package, f"{owner}.{one}", newest).state is NameState.PRESENT][:most]
    return tuple(sorted(near, key=lambda one: sorted(one.lower()) != sorted(name.lower())))


def _may_be_meant(name: str, other: str) -> bool:
    """A cheap test before the exact one: about as long, the same first letter, the same digits."""
    return (
        -_FEW_LETTERS <= len(name) - len(other) <= _FEW_LETTERS
        and name[:1].lower() == other[:1].lower()
        and [*filter(str.isdigit, name)] == [*filter(str.isdigit, other)]
        and _is_misspelled_in_one_word(name, other)
    )


def _is_misspelled_in_one_word(name: str, other: str) -> bool:
    """Whether the words that differ are similar themselves: segment_mean is not a misspelled segment_min."""
    words, others = name.lower().split("_"), other.lower().split("_")
    if len(words) != len(others):
        return True
    differing = [(one, two) for one, two in zip(words, others, strict=True) if one != two]
    return all(SequenceMatcher(None, one, two).ratio() >= SIMILAR_WORD for one, two in differing)


def _is_internal(name: str) -> bool:
    return name.startswith(INTERNAL) or any(part.startswith("_") for part in name.split("."))
