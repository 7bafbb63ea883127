"""All evidence for the files of a tree, in columns: one number a file.

The first look is cheap and covers all files. Its ``prior`` picks the candidates that get the second look, at their
functions, lines and messages.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import mul

from bugloss.core.term_weights import damped, saturation
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.lexical import K1, B, Scores, coverage, field_scores, pair_scores, rare_words
from bugloss.localize.index.postings import FIELDS
from bugloss.localize.index.tokens import is_compound, stem
from bugloss.localize.question.earlier import EarlierReport, Resemblance, resemblance
from bugloss.localize.question.mentions import FileMention, Pointer, Resolver
from bugloss.localize.question.query import Query

_FORM = frozenset(
    stem(word)
    for word in (
        *("actual", "additional", "behavior", "behaviour", "bug", "concise", "context", "describe", "description"),
        *("environment", "error", "expected", "feature", "fix", "happen", "information", "issue", "latest", "problem"),
        *("question", "reproduce", "reproduction", "request", "screenshots", "steps", "traceback", "version", "wrong"),
    )
)
_WORTH = {"title": 2.0, "prose": 1.0, "code": 1.0}
_YOUNG = 60  # days in which the change that brought a bug in is mostly found
_MESSAGES = 60  # terms in the messages about a usual file
PARTS = ("title", "prose", "code", "names")
WEIGHTS = {  # what a mention adds to the prior, whose lexical part is at most one
    Pointer.INNERMOST_FRAME: 1.0,
    Pointer.FRAME: 0.8,
    Pointer.LINK: 1.0,
    Pointer.PATH: 1.0,
    Pointer.FILE_NAME: 0.5,
    Pointer.MODULE: 0.5,
    Pointer.DOTTED_NAME: 0.5,
    Pointer.CLASS_IN_TITLE: 0.6,
    Pointer.FUNCTION_IN_TITLE: 0.5,
    Pointer.CLASS_IN_PROSE: 0.4,
    Pointer.FUNCTION_IN_PROSE: 0.4,
    Pointer.CLASS_IN_CODE: 0.2,
    Pointer.FUNCTION_IN_CODE: 0.2,
    Pointer.STEM_IN_TITLE: 0.3,
    Pointer.STEM_IN_PROSE: 0.2,
    Pointer.SPELLED_IN_TITLE: 0.5,
    Pointer.SPELLED_IN_PROSE: 0.2,
    Pointer.STEM_SPELLED_IN_TITLE: 0.5,
    Pointer.STEM_SPELLED_IN_PROSE: 0.2,
}


@dataclass(frozen=True, slots=True)
class FileEvidence:
    """The first look at all files of a corpus."""

    corpus: FileCorpus
    query: Query
    question: Mapping[str, float]
    columns: Mapping[str, Scores]
    mentions: Mapping[int, Sequence[FileMention]]
    resemblance: Resemblance
    prior: Scores

    def candidates(self, most: int) -> list[int]:
        """The files that deserve a second look, best first."""
        order = sorted(range(len(self.prior)), key=lambda at: (-self.prior[at], self.corpus.index.paths[at]))
        return order[:most]


def first_look(corpus: FileCorpus, query: Query, earlier: Sequence[EarlierReport] = ()) -> FileEvidence:
    """The cheap columns of all files, and the prior made of them."""
    index = corpus.index
    words = damped(_own_words(query.words))
    names = {term: weight for term, weight in words.items() if is_compound(term)}
    questions = [*(damped(_own_words(part)) for part in (query.title, query.prose, query.code)), names]
    scores, by_all = field_scores(index, questions, words)
    columns: dict[str, Scores] = {}
    for part, tables in zip(PARTS, scores, strict=True):
        for field, column in zip((*FIELDS, "whole"), tables, strict=True):
            columns[f"{part}:{field}"] = column
    columns["all:whole"] = by_all
    columns["structure"] = _structure(columns)
    columns["path:title"] = pair_scores(index.path_terms, questions[0], index.size)
    columns["path:all"] = pair_scores(index.path_terms, words, index.size)
    columns |= _message_columns(corpus, questions[0], words) | _change_columns(corpus, words)
    columns |= {"title coverage": coverage(index, query.title), "rare words": rare_words(index, query.words)}
    similar = resemblance(query.words, earlier, index.paths)
    columns |= {"reports:total": similar.total, "reports:best": similar.best}
    mentions = Resolver(index).mentions(query)
    columns |= _mention_columns(mentions, index.size)
    grouped: dict[int, list[FileMention]] = {}
    for mention in mentions:
        grouped.setdefault(mention.file, []).append(mention)
    return FileEvidence(corpus, query, words, columns, grouped, similar, _prior(columns, grouped))


def _own_words(counts: Mapping[str, int]) -> dict[str, int]:
    """Words of the report without those that every form for reports asks with."""
    return {term: count for term, count in counts.items() if term not in _FORM}


def _structure(columns: Mapping[str, Scores]) -> Scores:
    """BLUiR's sum of field similarities, where words of the title count twice."""
    weights = [weight for weight in _WORTH.values() for _ in FIELDS]
    rows = zip(*(columns[f"{part}:{field}"] for part in _WORTH for field in FIELDS), strict=True)
    return [sum(map(mul, row, weights)) for row in rows]


def _message_columns(corpus: FileCorpus, title: Mapping[str, float], words: Mapping[str, float]) -> dict[str, Scores]:
    """How similar the messages of a file's commits are to the report."""
    index, history = corpus.index, corpus.history
    by_title, by_all = [0.0] * index.size, [0.0] * index.size
    floors = {at: saturation(length, _MESSAGES, K1, B) for at, length in history.lengths.items()}
    for term, weight in words.items():
        pairs = history.words.get(term)
        if not pairs:
            continue
        rare = math.log(1 + 2 * len(history.files) / len(pairs))
        for at, count in zip(pairs[::2], pairs[1::2], strict=True):
            part = rare * count / (count + floors[at])
            by_all[at] += weight * part
            by_title[at] += title.get(term, 0.0) * part
    return {"messages:title": by_title, "messages:all": by_all}


def _change_columns(corpus: FileCorpus, words: Mapping[str, float]) -> dict[str, Scores]:
    """The one earlier change of each file whose message is most like the report, and the same for young changes."""
    index, history = corpus.index, corpus.history
    scores = [0.0] * len(history.change_files)
    for term, weight in words.items():
        numbers = history.change_words.get(term)
        for at in numbers:
            scores[at] += weight * math.log(1 + len(scores) / len(numbers))
    best, young = [0.0] * index.size, [0.0] * index.size
    for at, score in enumerate(scores):
        if score:
            share = score / (4 + history.change_lengths[at]) / math.sqrt(len(history.change_files[at]))
            faded = share * math.exp(-history.change_ages[at] / _YOUNG)
            for file in history.change_files[at]:
                best[file], young[file] = max(best[file], share), max(young[file], faded)
    return {"change:best": best, "change:young": young}


def _mention_columns(mentions: Sequence[FileMention], files: int) -> dict[str, Scores]:
    columns = {f"mention:{pointer.value}": [0.0] * files for pointer in Pointer}
    for mention in mentions:
        columns[f"mention:{mention.pointer.value}"][mention.file] += mention.weight
    return columns


def _prior(columns: Mapping[str, Scores], pointed_at: Collection[int]) -> Scores:
    names = ("structure", "messages:all", "path:all")
    words, messages, paths = (1 / (max(columns[name], default=0.0) or 1.0) for name in names)
    rows = zip(*(columns[name] for name in (*names, "reports:best")), strict=True)
    prior = [words * a + 0.2 * messages * b + 0.2 * paths * c + 0.3 * d for a, b, c, d in rows]
    for at in pointed_at:
        for pointer, weight in WEIGHTS.items():
            prior[at] += weight * min(columns[f"mention:{pointer.value}"][at], 1.0)
    return prior
