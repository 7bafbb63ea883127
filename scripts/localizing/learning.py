"""The learned part of the ranker: LambdaMART and a listwise linear model over candidates, projects kept apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import lightgbm
import numpy as np

from bugloss.evaluate.predictions import Prediction
from bugloss.localize.ranker.forest import FAR, TREES
from localizing.material import Row

Array = np.ndarray[Any, Any]

GUESS, GUESS_WEIGHT = "prior", 2.0  # the trees start from the first look's own order, and correct it
ROUNDS = 120
SEEDS = (0, 1)  # forests of different draws are averaged: steadier than one
PARAMETERS: dict[str, Any] = {
    "objective": "lambdarank",
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "lambdarank_truncation_level": 3,
    "max_bin": 63,
    "num_threads": 1,
    "deterministic": True,
    "verbosity": -1,
}
STEPS, STEP, SHRINKAGE = 150, 0.05, 10.0  # of the linear model: Adam's steps, and a ridge


@dataclass(frozen=True)
class Ranker:
    """Both models."""

    names: tuple[str, ...]
    boosters: tuple[lightgbm.Booster, ...]
    means: Array
    scales: Array
    weights: Array

    def scores(self, row: Row) -> Array:
        """As ``bugloss/localize/ranker/forest.py`` computes them."""
        features = np.asarray(row.features)
        grown = GUESS_WEIGHT * features[:, self.names.index(GUESS)]
        grown = grown + np.mean([booster.predict(features) for booster in self.boosters], axis=0)
        summed = np.clip((features - self.means) / self.scales, -FAR, FAR) @ self.weights
        return TREES * _standardised(grown) + _standardised(summed)


def _standardised(values: Array) -> Array:
    deviation = values.std()
    return (values - values.mean()) / deviation if deviation > 1e-12 else np.zeros_like(values)


def labels(row: Row) -> Array:
    """1 for a true file."""
    return np.array([path in row.subject.truth for path in row.paths], dtype=np.int32)


def fit(rows: Sequence[Row], seeds: Sequence[int] = SEEDS) -> Ranker:
    """Both models; reports whose true files are no candidates teach nothing."""
    telling = [row for row in rows if labels(row).any()]
    names = telling[0].names
    features = np.concatenate([np.asarray(row.features) for row in telling])
    truth = np.concatenate([labels(row) for row in telling])
    data = lightgbm.Dataset(
        features,
        truth,
        group=[len(row.paths) for row in telling],
        init_score=GUESS_WEIGHT * features[:, names.index(GUESS)],
        free_raw_data=False,
    )
    boosters = tuple(lightgbm.train({**PARAMETERS, "seed": seed}, data, ROUNDS) for seed in seeds)
    return Ranker(names, boosters, *_linear(telling, features))


def _linear(rows: Sequence[Row], features: Array) -> tuple[Array, Array, Array]:
    """Weights under which true files get most of a softmax over the candidates of their report."""
    means, scales = features.mean(0), features.std(0) + 1e-6
    most = max(len(row.paths) for row in rows)
    values = np.zeros((len(rows), most, len(means)), dtype=np.float32)
    absent = np.full((len(rows), most), -1e9, dtype=np.float32)
    wanted = np.zeros((len(rows), most), dtype=np.float32)
    for at, row in enumerate(rows):
        count = len(row.paths)
        values[at, :count] = np.clip((np.asarray(row.features) - means) / scales, -FAR, FAR)
        absent[at, :count] = 0
        wanted[at, :count] = labels(row) / labels(row).sum()
    flat = values.reshape(-1, len(means))
    weights = np.zeros(len(means), dtype=np.float32)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        scores = (flat @ weights).reshape(wanted.shape) + absent
        shares = np.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        gradient = (flat.T @ (shares - wanted).reshape(-1) + SHRINKAGE * weights) / len(rows)
        first, second = 0.9 * first + 0.1 * gradient, 0.99 * second + 0.01 * gradient**2
        weights -= STEP * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return means, scales, weights


@dataclass(frozen=True)
class HeldOut:
    """What models said that had seen no report of the project."""

    predictions: tuple[Prediction, ...]
    slope: float
    offset: float
    rankers: tuple[tuple[frozenset[str], Ranker], ...] = ()  # each with the projects that it did not see


def leave_projects_out(
    rows: Sequence[Row], further: Sequence[Row] = (), folds: int | None = None, seeds: Sequence[int] = SEEDS
) -> HeldOut:
    """Each report ranked by models that saw none of its project; without ``folds`` every project is one.

    ``further`` rows, of other projects, are learned from and never asked about.
    """
    predictions, scores, truth, rankers = [], [], [], []
    for held_out in _folds(rows, folds):
        ranker = fit([*(row for row in rows if row.subject.project not in held_out), *further], seeds)
        rankers.append((frozenset(held_out), ranker))
        for row in rows:
            if row.subject.project in held_out:
                found = ranker.scores(row)
                order = np.argsort(-found, kind="stable")
                predictions.append(Prediction(row.subject.id, "bugloss", tuple(row.paths[at] for at in order)))
                scores.append(found)
                truth.append(labels(row))
    slope, offset = _calibrated(np.concatenate(scores), np.concatenate(truth))
    return HeldOut(tuple(predictions), slope, offset, tuple(rankers))


def _calibrated(scores: Array, truth: Array) -> tuple[float, float]:
    """Slope and offset of the logistic function that fits best, by Newton's method."""
    columns = np.stack([scores, np.ones_like(scores)], axis=1)
    found = np.zeros(2)
    for _ in range(30):
        chance = 1 / (1 + np.exp(-columns @ found))
        curvature = (columns * (chance * (1 - chance))[:, None]).T @ columns
        found = found - np.linalg.solve(curvature + 1e-6 * np.eye(2), columns.T @ (chance - truth))
    return float(found[0]), float(found[1])


def _folds(rows: Sequence[Row], folds: int | None) -> list[set[str]]:
    """Projects in groups of about the same number of reports."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.subject.project] = counts.get(row.subject.project, 0) + 1
    groups: list[set[str]] = [set() for _ in range(folds or len(counts))]
    for project in sorted(counts, key=lambda name: (-counts[name], name)):
        min(groups, key=lambda group: sum(counts[name] for name in group)).add(project)
    return [group for group in groups if group]


def dump(ranker: Ranker, held_out: HeldOut) -> dict[str, Any]:
    """The models in the form that ``bugloss/localize/ranker/forest.py`` reads; the mean of forests is one forest."""
    share = 1 / len(ranker.boosters)
    trees = [
        _tree(tree["tree_structure"], share)
        for booster in ranker.boosters
        for tree in booster.dump_model()["tree_info"]
    ]
    linear = [[round(float(value), 6) for value in column] for column in (ranker.means, ranker.scales, ranker.weights)]
    return {
        "schema": "bugloss.ranker/1",
        "names": list(ranker.names),
        "guess": GUESS,
        "guess_weight": GUESS_WEIGHT,
        "trees": trees,
        "linear": linear,
        "calibration": [round(held_out.slope, 4), round(held_out.offset, 4)],
    }


def _tree(root: dict[str, Any], share: float) -> list[list[Any]]:
    features: list[int] = []
    thresholds: list[float] = []
    lefts: list[int] = []
    rights: list[int] = []
    leaves: list[float] = []

    def add(node: dict[str, Any]) -> int:
        if "split_index" not in node:
            leaves.append(round(node["leaf_value"] * share, 6))
            return -len(leaves)
        at = len(features)
        features.append(node["split_feature"])
        thresholds.append(round(node["threshold"], 6))
        lefts.append(0)
        rights.append(0)
        lefts[at], rights[at] = add(node["left_child"]), add(node["right_child"])
        return at

    add(root)
    return [features, thresholds, lefts, rights, leaves]
