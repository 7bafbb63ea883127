"""The association of report words with code words, learned: from co-occurrence, then corrected by fixed reports."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from localizing.candidates import Candidates, Project

Array = np.ndarray[Any, Any]

DIMENSIONS = 24
WORDS = 3_000  # at most
LEAST_PROJECTS = 8  # that a word must stand in
FILES_A_PROJECT = 200  # from which the space is made
EPOCHS, BATCH, STEP, DECAY = 5, 16, 0.003, 0.001
RVSM_WEIGHT = 10.0  # rVSM is given beside the association, which so learns what words do not say


@dataclass(frozen=True)
class Sparse:
    """Rows of few numbers: the rows' beginnings, the columns and the values."""

    starts: Array
    columns: Array
    values: Array

    def times(self, vector: Array) -> Array:
        """The product with a vector."""
        summed = np.concatenate([[0.0], np.cumsum(self.values * vector[self.columns])])
        product: Array = summed[self.starts[1:]] - summed[self.starts[:-1]]
        return product

    def transposed_times(self, vector: Array, width: int) -> Array:
        """The product of the transposed rows with a vector."""
        each = np.repeat(vector, np.diff(self.starts))
        return np.bincount(self.columns, self.values * each, width)


@dataclass(frozen=True)
class Vocabulary:
    """The words that enough projects have."""

    words: tuple[str, ...]
    rarity: Array

    @classmethod
    def of(cls, projects: Sequence[Project]) -> Vocabulary:
        """By the share of files that have a word, project by project, so that large projects do not decide alone."""
        having: Counter[str] = Counter()
        shares: defaultdict[str, float] = defaultdict(float)
        for project in projects:
            counts: Counter[int] = Counter()
            for triples in project.words.blobs.values():
                counts.update(triples[::3])
            for number, count in counts.items():
                having[project.words.words[number]] += 1
                shares[project.words.words[number]] += count / len(project.words.blobs)
        enough = [word for word, count in having.items() if count >= min(LEAST_PROJECTS, len(projects))]
        words = tuple(sorted(sorted(enough, key=lambda word: (-shares[word], word))[:WORDS]))
        return cls(words, np.array([np.log(len(projects) / shares[word]) for word in words]))


@dataclass(frozen=True)
class Example:
    """One report in the words of a vocabulary: its own weights, and those of its candidates' code and comments."""

    report: Candidates
    columns: Array
    weights: Array
    code: Sparse
    comments: Sparse


def examples_of(project: Project, vocabulary: Vocabulary) -> list[Example]:
    """The reports of a project; every row has length 1."""
    numbers = {word: at for at, word in enumerate(vocabulary.words)}
    places = np.array([numbers.get(word, -1) for word in project.words.words])
    rows = {blob: _blob_rows(np.array(triples), places, vocabulary) for blob, triples in project.words.blobs.items()}
    return [_example(report, numbers, vocabulary, rows) for report in project.reports]


def _blob_rows(triples: Array, places: Array, vocabulary: Vocabulary) -> tuple[tuple[Array, Array], ...]:
    table = triples.reshape(-1, 3).astype(np.int64)
    known = places[table[:, 0]] if len(table) else np.zeros(0, dtype=np.int64)
    return tuple(_row(known, table[:, part], vocabulary) for part in (1, 2))


def _row(columns: Array, counts: Array, vocabulary: Vocabulary) -> tuple[Array, Array]:
    there = (columns >= 0) & (counts > 0)
    columns = columns[there]
    weights = (1 + np.log(counts[there])) * vocabulary.rarity[columns]
    return columns, weights / (np.linalg.norm(weights) or 1.0)


def _example(report: Candidates, numbers: dict[str, int], vocabulary: Vocabulary, rows: Any) -> Example:
    known = [(numbers[word], count) for word, count in report.words.items() if word in numbers]
    own = np.array(known, dtype=np.int64).reshape(-1, 2)
    stacked = []
    for part in (0, 1):
        parts = [rows[blob][part] if blob in rows else (np.zeros(0, np.int64), np.zeros(0)) for blob in report.blobs]
        starts = np.concatenate([[0], np.cumsum([len(columns) for columns, _ in parts])])
        stacked.append(Sparse(starts, *(np.concatenate([pair[at] for pair in parts]) for at in (0, 1))))
    return Example(report, *_row(own[:, 0], own[:, 1], vocabulary), *stacked)


@dataclass
class Space:
    """A place for each word, and the hidden layer of reports."""

    vocabulary: Vocabulary
    vectors: Array
    layer: Array
    offset: Array

    @property
    def parameters(self) -> tuple[Array, Array, Array]:
        return self.vectors, self.layer, self.offset

    def hidden(self, example: Example) -> tuple[Array, Array]:
        """What goes into the hidden layer, and what comes out."""
        given = example.weights @ self.vectors[example.columns]
        return given, np.tanh(self.layer @ given + self.offset)

    def relevance(self, example: Example) -> tuple[Array, Array]:
        """Of each candidate's code and comments."""
        worth = self.vectors @ self.hidden(example)[1]
        return example.code.times(worth), example.comments.times(worth)

    def gradient(self, example: Example) -> tuple[Array, Array, Array]:
        """Of the loss with which the softmax over candidates misses the true ones."""
        given, hidden = self.hidden(example)
        rvsm = np.array([row[0] for row in example.report.features])
        wrong = missed(RVSM_WEIGHT * rvsm + sum(self.relevance(example)), np.array(example.report.truth))
        width = len(self.vectors)
        by_word = example.code.transposed_times(wrong, width) + example.comments.transposed_times(wrong, width)
        back = (self.vectors.T @ by_word) * (1 - hidden**2)
        vectors = np.outer(by_word, hidden)
        vectors[example.columns] += np.outer(example.weights, self.layer.T @ back)
        return vectors, np.outer(back, given), back


def missed(scores: Array, truth: Array) -> Array:
    """The softmax of scores less what it should be: an equal share for each true one."""
    shares = np.exp(scores - scores.max())
    gap: Array = shares / shares.sum() - truth / truth.sum()
    return gap


class Adam:
    """Kingma and Ba's steps, with weights that shrink a little each time."""

    def __init__(self, parameters: Sequence[Array], step: float, decay: float) -> None:
        self.parameters, self.step, self.decay, self.count = parameters, step, decay, 0
        self.first, self.second = ([np.zeros_like(each) for each in parameters] for _ in range(2))

    def move(self, gradients: Sequence[Array]) -> None:
        self.count += 1
        for at, gradient in enumerate(gradients):
            self.first[at] = 0.9 * self.first[at] + 0.1 * gradient
            self.second[at] = 0.999 * self.second[at] + 0.001 * gradient**2
            mean, spread = self.first[at] / (1 - 0.9**self.count), self.second[at] / (1 - 0.999**self.count)
            parameter = self.parameters[at]
            parameter -= self.step * (mean / (np.sqrt(spread) + 1e-8) + self.decay * parameter)


def learn_space(examples: Sequence[Example], vocabulary: Vocabulary, seed: int = 0) -> Space:
    """The space of words that stand together in files, corrected report by report."""
    draw = np.random.default_rng(seed)
    vectors = _co_occurrence(examples, len(vocabulary.words), draw)
    space = Space(vocabulary, vectors, np.eye(DIMENSIONS) * 2, np.zeros(DIMENSIONS))
    telling = [example for example in examples if any(example.report.truth)]
    adam = Adam(space.parameters, STEP, DECAY)
    for _ in range(EPOCHS):
        order = draw.permutation(len(telling))
        for start in range(0, len(order), BATCH):
            found = [space.gradient(telling[at]) for at in order[start : start + BATCH]]
            adam.move([np.mean(part, axis=0) for part in zip(*found, strict=True)])
    return space


def _co_occurrence(examples: Sequence[Example], width: int, draw: np.random.Generator) -> Array:
    """The first directions of the files' words (latent semantics), by iteration on the words' products."""
    products = np.zeros((width, width), dtype=np.float32)
    by_project: dict[str, list[Example]] = {}
    for example in examples:
        by_project.setdefault(example.report.subject.project, []).append(example)
    for members in by_project.values():
        drawn = draw.choice(len(members), min(len(members), 4), replace=False)
        table = np.concatenate([_dense(members[at].code, width) for at in drawn])
        table = table[draw.permutation(len(table))[:FILES_A_PROJECT]]
        products += table.T @ table / len(table)
    directions = draw.standard_normal((width, DIMENSIONS + 1))
    for _ in range(30):
        directions = np.linalg.qr(products @ directions)[0]
    scaled: Array = directions[:, 1:] * np.sqrt(width) / 8  # the first is what all files have in common
    return scaled


def _dense(rows: Sparse, width: int) -> Array:
    table = np.zeros((len(rows.starts) - 1, width), dtype=np.float32)
    table[np.repeat(np.arange(len(table)), np.diff(rows.starts)), rows.columns] = rows.values
    return table
