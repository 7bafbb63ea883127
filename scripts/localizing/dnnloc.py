"""DNNLOC's two networks, learned with projects kept apart."""

from __future__ import annotations

import base64
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from bugloss.evaluate.predictions import Prediction
from bugloss.localize.neural.perceptron import FAR
from localizing.candidates import Project, groups_of
from localizing.word_space import Adam, Array, Example, Space, Vocabulary, examples_of, learn_space, missed

HIDDEN = 12
EPOCHS, BATCH, STEP, DECAY = 40, 16, 0.01, 0.01
INNER = 2  # groups of projects: the joining network must see associations as good as they are on strangers


@dataclass(frozen=True)
class Networks:
    """The space of words, and the network that joins what it says with the plain features."""

    space: Space
    joining: list[Any]  # means, scales, the hidden layer, its offsets, the last weights

    def scores(self, example: Example) -> Array:
        """As ``bugloss/localize/techniques/dnnloc.py`` computes them."""
        means, scales, layer, offsets, weights = map(np.array, self.joining)
        inputs = np.clip((_rows(example, self.space)[0] - means) / scales, -FAR, FAR)
        found: Array = np.tanh(inputs @ layer.T + offsets) @ weights
        return found

    def ranked(self, project: Project) -> list[Prediction]:
        """The candidates of each report; what rVSM put behind them is not ranked."""
        predictions = []
        for example in examples_of(project, self.space.vocabulary):
            report, found = example.report, self.scores(example)
            order = sorted(range(len(found)), key=lambda at: (-found[at], report.paths[at]))
            predictions.append(Prediction(report.subject.id, "dnnloc", tuple(report.paths[at] for at in order)))
        return predictions


def fit(projects: Sequence[Project], seed: int = 0) -> Networks:
    """Both networks."""
    vocabulary = Vocabulary.of(projects)
    examples = {project.name: examples_of(project, vocabulary) for project in projects}
    rows: list[tuple[Array, Array]] = []
    for held_out in groups_of(projects, INNER):
        space = learn_space(_of(examples, examples.keys() - held_out), vocabulary, seed)
        rows += [_rows(example, space) for example in _of(examples, held_out)]
    space = learn_space(_of(examples, examples.keys()), vocabulary, seed)
    return Networks(space, _joining([row for row in rows if row[1].any()], seed))


def _of(examples: dict[str, list[Example]], wanted: Set[str]) -> list[Example]:
    return [example for name, found in examples.items() if name in wanted for example in found]


def _rows(example: Example, space: Space) -> tuple[Array, Array]:
    plain = np.array(example.report.features)
    return np.column_stack([plain, *space.relevance(example)]), np.array(example.report.truth)


def _joining(rows: Sequence[tuple[Array, Array]], seed: int) -> list[Any]:
    """A network of one hidden layer under whose scores true files get most of a softmax over candidates."""
    together = np.concatenate([features for features, _ in rows])
    means, scales = together.mean(0), together.std(0) + 1e-4
    inputs = [(np.clip((features - means) / scales, -FAR, FAR), truth) for features, truth in rows]
    draw = np.random.default_rng(seed)
    layer = draw.standard_normal((HIDDEN, len(means))) / np.sqrt(len(means))
    offsets, weights = np.zeros(HIDDEN), draw.standard_normal(HIDDEN)
    adam = Adam((layer, offsets, weights), STEP, DECAY)
    for _ in range(EPOCHS):
        order = draw.permutation(len(inputs))
        for start in range(0, len(order), BATCH):
            batch = (inputs[at] for at in order[start : start + BATCH])
            found = [_gradient(features, truth, layer, offsets, weights) for features, truth in batch]
            adam.move([np.mean(part, axis=0) for part in zip(*found, strict=True)])
    return [np.round(part, 5).tolist() for part in (means, scales, layer, offsets, weights)]


def _gradient(inputs: Array, truth: Array, layer: Array, offsets: Array, weights: Array) -> tuple[Array, Array, Array]:
    hidden = np.tanh(inputs @ layer.T + offsets)
    wrong = missed(hidden @ weights, truth)
    back = np.outer(wrong, weights) * (1 - hidden**2)
    return back.T @ inputs, back.sum(0), hidden.T @ wrong


def written(networks: Networks) -> dict[str, Any]:
    """The form that ``bugloss/localize/techniques/dnnloc.py`` reads."""
    space = networks.space
    unit = float(np.abs(space.vectors).max() / 127)
    vectors = np.round(space.vectors / unit).astype(np.int8)
    return {
        "schema": "bugloss.dnnloc/1",
        "words": list(space.vocabulary.words),
        "rarity": np.round(space.vocabulary.rarity, 3).tolist(),
        "vectors": base64.b64encode(vectors.tobytes()).decode(),
        "unit": unit,
        "layer": np.round(space.layer, 4).tolist(),
        "offset": np.round(space.offset, 4).tolist(),
        "joining": networks.joining,
    }


def leave_projects_out(projects: Sequence[Project], folds: int) -> tuple[Prediction, ...]:
    """Each report ranked with networks that saw nothing of its project."""
    predictions: list[Prediction] = []
    for held_out in groups_of(projects, folds):
        networks = fit([project for project in projects if project.name not in held_out])
        for project in projects:
            if project.name in held_out:
                predictions += networks.ranked(project)
        print(f"   dnnloc: {len(held_out)} projects left out", flush=True)
    return tuple(predictions)
