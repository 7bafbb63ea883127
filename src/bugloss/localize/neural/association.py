"""Words of reports and words of code in one space of few dimensions, learned from fixed reports of other projects.

What a report says goes through a hidden layer; what a file says is the sum of its words. Their product is how much the
file is about what the report is about, also where they share no word. Because the file's side is a sum, the report's
side can be turned into one weight a word, and all files of a tree are then scored in one pass over the postings.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bugloss.localize.index.lexical import Scores
from bugloss.localize.index.postings import field_counts
from bugloss.localize.index.tree_index import TreeIndex


@dataclass(frozen=True, slots=True)
class WordAssociation:
    """``vectors`` has ``size`` numbers a word; ``layer`` has a row for each of them, and ``offset`` its bias."""

    words: Mapping[str, int]  # word → its number
    rarity: Sequence[float]
    size: int
    vectors: Sequence[int]
    unit: float  # what one of the whole numbers in ``vectors`` is worth
    layer: Sequence[Sequence[float]]
    offset: Sequence[float]

    def vector(self, number: int) -> Sequence[int]:
        """The place of a word, in units."""
        return self.vectors[number * self.size : (number + 1) * self.size]

    def hidden(self, question: Mapping[str, int]) -> list[float]:
        """What a report says, after the hidden layer."""
        weights = {
            at: (1 + math.log(count)) * self.rarity[at]
            for word, count in question.items()
            if (at := self.words.get(word)) is not None
        }
        length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        given = [0.0] * self.size
        for at, weight in weights.items():
            share = weight * self.unit / length
            for place, value in enumerate(self.vector(at)):
                given[place] += share * value
        return [
            math.tanh(offset + sum(weight * value for weight, value in zip(row, given, strict=True)))
            for row, offset in zip(self.layer, self.offset, strict=True)
        ]

    def relevance(self, index: TreeIndex, question: Mapping[str, int]) -> tuple[Scores, Scores]:
        """For each file how much its code, and how much its comments, are about the question."""
        hidden = [value * self.unit for value in self.hidden(question)]
        sums = ([0.0] * index.size, [0.0] * index.size)
        squares = ([0.0] * index.size, [0.0] * index.size)
        for word, at in self.words.items():
            postings = index.postings(word)
            if not postings:
                continue
            rare = self.rarity[at]
            worth = sum(value * weight for value, weight in zip(self.vector(at), hidden, strict=True))
            for file, classes, methods, variables, comments in field_counts(postings):
                for part, count in enumerate((classes + methods + variables, comments)):
                    if count:
                        weight = (1 + math.log(count)) * rare
                        sums[part][file] += weight * worth
                        squares[part][file] += weight * weight
        code, prose = (
            [total / math.sqrt(square) if square else 0.0 for total, square in zip(*part, strict=True)]
            for part in zip(sums, squares, strict=True)
        )
        return code, prose
