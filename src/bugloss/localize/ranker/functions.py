"""Functions and methods of candidate files against the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bugloss.core.ranking import RankedFunction
from bugloss.core.term_weights import damped, rarity, saturation
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.inside import Definition, Inside
from bugloss.localize.index.tree_index import TreeIndex
from bugloss.localize.question.mentions import FileMention, Pointer
from bugloss.localize.question.query import Query

_K1, _B = 1.2, 0.6
_USUAL_LENGTH = 60  # terms
_FRAMES = (Pointer.INNERMOST_FRAME, Pointer.FRAME)
_IN_FRAME, _NAMED_IN_TITLE, _NAMED, _CLASS_NAMED = 1.0, 0.6, 0.4, 0.2  # added to the share of the best function's words


class FunctionScore(NamedTuple):
    """How well a function's text answers the report."""

    definition: Definition
    score: float
    by_title: float  # the same for the title alone


def score_functions(corpus: FileCorpus, query: Query, files: Sequence[int]) -> dict[int, tuple[FunctionScore, ...]]:
    """BM25 of every function of some files; rarity is that of terms among files."""
    index = corpus.index
    kept = corpus.store.insides([index.blobs[at] for at in files])
    words, title = _weights(index, damped(query.words)), _weights(index, damped(query.title))
    return {at: _scored(kept.get(index.blobs[at], Inside()), words, title) for at in files}


def _weights(index: TreeIndex, question: Mapping[str, float]) -> dict[str, float]:
    return {
        term: weight * rarity(index.size, having)
        for term, weight in question.items()
        if (having := index.document_frequency(term))
    }


def _scored(inside: Inside, words: Mapping[str, float], title: Mapping[str, float]) -> tuple[FunctionScore, ...]:
    definitions = inside.definitions
    floors = [saturation(one.length, _USUAL_LENGTH, _K1, _B) for one in definitions]
    by_words, by_title = [0.0] * len(definitions), [0.0] * len(definitions)
    for term, numbers in inside.shared(words.keys()):
        worth, in_title = words[term] * (_K1 + 1), title.get(term, 0.0) * (_K1 + 1)
        for at, count in zip(numbers[::2], numbers[1::2], strict=True):
            part = count / (count + floors[at])
            by_words[at] += worth * part
            by_title[at] += in_title * part
    found = zip(definitions, by_words, by_title, strict=True)
    return tuple(FunctionScore(*one) for one in found if not one[0].is_class)


def rank_functions(
    path: str, found: Sequence[FunctionScore], query: Query, mentions: Sequence[FileMention]
) -> list[RankedFunction]:
    """The functions of one file, best first: those that the report names, then those with the same words."""
    most = max((one.score for one in found), default=0.0) or 1.0
    frames = {mention.text: mention.line for mention in mentions if mention.pointer in _FRAMES}
    ranked = [
        RankedFunction(one.definition.name, one.definition.line, round(score, 4), one.definition.end, path)
        for one in found
        if (score := one.score / most + _named(one.definition, query, frames)) > 0
    ]
    return sorted(ranked, key=lambda function: (-function.score, function.line))


def _named(definition: Definition, query: Query, frames: Mapping[str, int]) -> float:
    """What the report's naming of a function, or of its class, adds."""
    parts = definition.name.split(".")
    bare, owner = parts[-1], parts[0] if len(parts) > 1 else ""
    bonus = 0.0
    if bare in frames:
        bonus += _IN_FRAME if definition.line <= frames[bare] <= definition.end or owner else _IN_FRAME / 2
    if bare in query.title_names:
        bonus += _NAMED_IN_TITLE
    elif bare in query.quoted_names or ("_" in bare.strip("_") and bare in query.prose_names | query.code_names):
        bonus += _NAMED
    if owner and (owner in query.title_names or owner in query.prose_names or owner in query.code_names):
        bonus += _CLASS_NAMED
    return bonus
