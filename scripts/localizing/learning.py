"""The learned part of the ranker: LambdaMART over the features of candidates, projects kept apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lightgbm
import numpy as np

from bugloss.evaluate.predictions import Prediction
from localizing.material import Row

ROUNDS = 200
SEEDS = (
    0,
    1,
    2,
)  # forests with different draws are added up: steadier than one, and no slower to learn than a large one
PARAMETERS: dict[str, Any] = {
    "objective": "lambdarank",
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "lambdarank_truncation_level": 20,
    "max_bin": 63,
    "num_threads": 1,
    "deterministic": True,
    "verbosity": -1,
}


def fit(rows: Sequence[Row], seeds: Sequence[int] = SEEDS) -> list[lightgbm.Booster]:
    """One forest a seed; reports whose true files are no candidates teach nothing."""
    telling = [row for row in rows if any(labels(row))]
    features = np.concatenate([np.asarray(row.features, dtype=np.float64) for row in telling])
    truth = np.concatenate([labels(row) for row in telling])
    groups = [len(row.paths) for row in telling]
    data = lightgbm.Dataset(
        features, truth, group=groups, feature_name=[_safe(name) for name in telling[0].names], free_raw_data=False
    )
    return [lightgbm.train({**PARAMETERS, "seed": seed}, data, ROUNDS) for seed in seeds]


def labels(row: Row) -> np.ndarray[Any, Any]:
    """1 for a true file."""
    return np.array([path in row.subject.truth for path in row.paths], dtype=np.int32)


def _safe(name: str) -> str:
    return name.replace(":", "-").replace(" ", "_")


def order(boosters: Sequence[lightgbm.Booster], row: Row) -> tuple[str, ...]:
    """The candidates of a report, best first."""
    features = np.asarray(row.features, dtype=np.float64)
    scores = sum(booster.predict(features) for booster in boosters)
    return tuple(row.paths[at] for at in np.argsort(-scores, kind="stable"))


def leave_projects_out(rows: Sequence[Row], folds: int | None = None, seeds: Sequence[int] = SEEDS) -> list[Prediction]:
    """Each report ranked by forests that saw no report of its project; without ``folds`` every project is one."""
    predictions = []
    for held_out in _folds(rows, folds):
        boosters = fit([row for row in rows if row.subject.project not in held_out], seeds)
        predictions += [
            Prediction(row.subject.id, "bugloss", order(boosters, row))
            for row in rows
            if row.subject.project in held_out
        ]
    return predictions


def _folds(rows: Sequence[Row], folds: int | None) -> list[set[str]]:
    """Projects in groups of about the same number of reports."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.subject.project] = counts.get(row.subject.project, 0) + 1
    groups: list[set[str]] = [set() for _ in range(folds or len(counts))]
    for project in sorted(counts, key=lambda name: (-counts[name], name)):
        min(groups, key=lambda group: sum(counts[name] for name in group)).add(project)
    return [group for group in groups if group]


def dump(boosters: Sequence[lightgbm.Booster], names: Sequence[str]) -> dict[str, Any]:
    """All forests as one, in the form that ``bugloss/localize/forest.py`` reads."""
    trees = [_tree(tree["tree_structure"]) for booster in boosters for tree in booster.dump_model()["tree_info"]]
    return {"schema": "bugloss.ranker/1", "names": list(names), "trees": trees}


def _tree(root: dict[str, Any]) -> list[list[Any]]:
    features: list[int] = []
    thresholds: list[float] = []
    lefts: list[int] = []
    rights: list[int] = []
    leaves: list[float] = []

    def add(node: dict[str, Any]) -> int:
        if "split_index" not in node:
            leaves.append(round(node["leaf_value"], 6))
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
