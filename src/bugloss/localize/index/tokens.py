"""Words of reports and of code as terms: identifiers split, cut down to stems, stop words left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]+")
_OPTION = re.compile(r"--([A-Za-z][\w]*(?:-\w+)+)")
PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_LONG_WORD = 12  # letters; longer words are mostly several, written together
_LONGEST = 60  # what is longer is data: a hash, a key, an encoded image
_VOWEL = re.compile(r"[aeiouy]")

_STOP_WORDS = """
    a about above after again all also am an and any are as at be because been before being below between both but by
    can cannot could did do does doing done down during each few for from further get gets getting given go going got
    had has have having he her here hers him his how however if in into is it its itself just like may me might more
    most much must my no nor not now of off on once only or other our out over own please same see seems shall she
    should so some such than thank thanks that the their them then there these they this those through to too try
    trying under until up us use used uses using very was way we well were what when where which while who whom why
    will with without would yet you your yours
    self cls def class return import none true false lambda elif else except finally raise pass yield async await
    print assert del global nonlocal try int str float bool len kwargs args https http www com github
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """A lower-case word without its ending: a light stemmer, because names of code bear no strong one."""
    if len(word) <= 3 or not word.isalpha():
        return word
    word = _singular(word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and _VOWEL.search(word[: -len(ending)]):
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    if word.endswith(("tion", "sion")) and len(word) > 6:
        word = word[:-3]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@lru_cache(maxsize=200_000)
def terms_of(identifier: str) -> tuple[str, ...]:
    """The terms of one identifier: the stems of its parts, and the whole where it has several."""
    if len(identifier) > _LONGEST:
        return ()
    parts = [part.lower() for part in PART.findall(identifier)]
    kept = [stem(part) for part in parts if len(part) > 1 and part not in STOP_WORDS and not part.isdigit()]
    whole = identifier.strip("_").lower()
    return (*kept, whole) if len(parts) > 1 and whole not in STOP_WORDS else tuple(kept)


def identifiers(text: str) -> list[str]:
    """Everything that looks like a name or a word, in order; the option ``--batch-size`` is the name batch_size."""
    if "--" in text:
        text = _OPTION.sub(lambda found: found[1].replace("-", "_"), text)
    return _IDENTIFIER.findall(text)


def count_terms(text: str) -> Counter[str]:
    """How often each term occurs in a text."""
    return count_identifiers(Counter(identifiers(text)))


def count_identifiers(found: Counter[str]) -> Counter[str]:
    """How often each term occurs in identifiers that were counted already."""
    terms: dict[str, int] = {}
    for identifier, count in found.items():
        for term in terms_of(identifier):
            terms[term] = terms.get(term, 0) + count
    return Counter(terms)


def is_compound(term: str) -> bool:
    """Whether a term is a whole identifier of several parts; the report's case is gone, so its length must decide."""
    return "_" in term or any(letter.isdigit() for letter in term) or len(term) > _LONG_WORD


def terms_of_all(names: Iterable[str]) -> Counter[str]:
    """How often each term occurs in some names."""
    return count_identifiers(Counter(names))
