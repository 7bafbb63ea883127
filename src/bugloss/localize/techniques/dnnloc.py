"""DNNLOC: rVSM, a learned association of report words with code words, and what is known of earlier fixes.

Lam, Nguyen, Nguyen and Nguyen, Bug Localization with Combination of Deep Learning and Information Retrieval (ICPC
2017): one network relates words of reports to words of code and of comments in a space of few dimensions; a second one
joins its two answers with rVSM, collaborative filtering, the class name that the report holds, and how lately and how
often a file was fixed. Theirs is trained on each project's own past; ours on other projects, so that it ships
(``scripts/train_dnnloc.py``), and it is small: 24 dimensions, 12 hidden units.
"""

from __future__ import annotations

import base64
import gzip
import json
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bugloss.localize.contract import Question
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.lexical import Scores
from bugloss.localize.index.tree_index import TreeIndex
from bugloss.localize.index.vector_space import normalised, revised_cosines
from bugloss.localize.neural.association import WordAssociation
from bugloss.localize.neural.perceptron import Perceptron
from bugloss.localize.question.earlier import collaborative
from bugloss.localize.question.query import Query

MODEL = Path(__file__).parents[1] / "data" / "dnnloc.json.gz"
CANDIDATES = 100
_MONTH = 30 * 86_400
_LONG_NAME = 20  # letters; longer names add no certainty


@dataclass(frozen=True, slots=True)
class Weights:
    """Both networks."""

    association: WordAssociation
    joining: Perceptron


class DnnLoc:
    """The hundred best files of rVSM by seven features that a network joins, and behind them the others."""

    name = "dnnloc"
    title = "DNNLOC: rVSM with a learned association of words, and earlier fixes"

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights

    def score(self, corpus: FileCorpus, question: Question) -> Scores:
        weights = self.weights or load_weights()
        columns = [
            *features(corpus, question),
            *weights.association.relevance(corpus.index, question.query.words),
        ]
        scores = list(columns[0])
        order = sorted(range(len(scores)), key=lambda at: (-scores[at], corpus.index.paths[at]))[:CANDIDATES]
        found = {at: weights.joining.value([column[at] for column in columns]) for at in order}
        for at, value in found.items():
            scores[at] = 1 + value - min(found.values())  # above all files that the network did not see
        return scores


def features(corpus: FileCorpus, question: Question) -> tuple[Scores, ...]:
    """The five columns that are not learned: one number a file each."""
    index, words = corpus.index, question.query.words
    return (
        normalised(revised_cosines(index, words)),
        collaborative(words, question.earlier, index.paths),
        named_class(index, question.query),
        recency(corpus),
        normalised([float(len(corpus.history.of(file).fix_times)) for file in range(index.size)]),
    )


def named_class(index: TreeIndex, query: Query) -> Scores:
    """How long a class of a file, or its own name, is that the report holds, as a share of a long one."""
    said = query.title_names | query.prose_names | query.quoted_names | query.code_names
    longest = [0] * index.size
    for name in said:
        pairs = index.names.get(name)
        for at, is_class in zip(pairs[::2], pairs[1::2], strict=True):
            if is_class:
                longest[at] = max(longest[at], len(name))
    for at, path in enumerate(index.paths):
        stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        if stem in said:
            longest[at] = max(longest[at], len(stem))
    return [min(length / _LONG_NAME, 1.0) for length in longest]


def recency(corpus: FileCorpus) -> Scores:
    """One for a file that was fixed this month, less with every month since its last fix."""
    history = corpus.history
    lasts = [max(history.of(file).fix_times, default=None) for file in range(corpus.index.size)]
    return [0.0 if last is None else 1 / (1 + max(history.now - last, 0) // _MONTH) for last in lasts]


@cache
def load_weights(path: Path = MODEL) -> Weights:
    """The networks of a model file."""
    return read_weights(json.loads(gzip.decompress(path.read_bytes())))


def read_weights(data: Mapping[str, Any]) -> Weights:
    """The networks that parsed JSON describes."""
    vectors = array("b")
    vectors.frombytes(base64.b64decode(data["vectors"]))
    words = {word: at for at, word in enumerate(data["words"])}
    association = WordAssociation(
        words, data["rarity"], len(data["offset"]), vectors, data["unit"], data["layer"], data["offset"]
    )
    return Weights(association, Perceptron(*data["joining"]))
