"""Weights that make the true causes likely, held close to those given by hand.

For each program the candidates are the faults that some clue counts for, and "none of them" at log-odds 0. The weights
minimise the negative log of the probability (softmax of the log-odds) that falls on accepted faults, summed over the
programs, plus half of ``pull`` times the squared distance from the weights given by hand. A weight never changes its
sign: its row says in words which way it counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import minimize

from bugloss.observe.arbiter import log_odds
from bugloss.observe.weights import FaultWeights, shared_weights
from weighing.material import RecordedProgram

_LEAST_LEFT = 0.1  # of a weight given by hand: a clue that counts nothing would not be a clue
Weights = Mapping[str, FaultWeights]


def odds_of(program: RecordedProgram, weights: Weights) -> dict[str, float]:
    """The log-odds of every fault that some clue counts for."""
    found = {fault: log_odds(clues, weights[fault].clues) for fault, clues in program.clues.items()}
    return {fault: odds for fault, odds in found.items() if odds > -np.inf}


@dataclass
class _Problem:
    """Programs as one table: a line for every candidate of every program, a column for every row of weights."""

    names: list[tuple[str, str]]
    hand: Any
    features: list[Any] = field(default_factory=list)
    base: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    begins: list[int] = field(default_factory=list)

    def add(self, program: RecordedProgram, weights: Weights) -> None:
        columns = {name: at for at, name in enumerate(self.names)}
        candidates = list(odds_of(program, weights))
        known = any(fault in program.accepted for fault in candidates)
        self.begins.append(len(self.base))
        for fault in candidates:
            line = np.zeros(len(self.names))
            for clue, strength in program.clues[fault].items():
                line[columns[fault, clue]] = strength
            self.features.append(line)
            self.base.append(shared_weights().prior)
            self.right.append(fault in program.accepted)
        self.features.append(np.zeros(len(self.names)))  # none of them
        self.base.append(0.0)
        self.right.append(not known)

    def objective(self, pull: float) -> Any:
        """Loss and gradient of a vector of weights."""
        features, base = np.array(self.features), np.array(self.base)
        chosen = np.where(self.right, 0.0, -np.inf)

        def loss(values: Any) -> tuple[float, Any]:
            scores = base + features @ values
            total, shares = self._shares(scores)
            right, right_shares = self._shares(scores + chosen)
            away = values - self.hand
            value = float(np.sum(total - right) + pull / 2 * away @ away)
            return value, features.T @ (shares - right_shares) + pull * away

        return loss

    def _shares(self, scores: Any) -> tuple[Any, Any]:
        """Per program the log of the summed exponentials, and each candidate's share of them."""
        sizes = np.diff([*self.begins, len(scores)])
        highest = np.maximum.reduceat(scores, self.begins)
        powers = np.exp(scores - np.repeat(highest, sizes))
        sums = np.add.reduceat(powers, self.begins)
        return highest + np.log(sums), powers / np.repeat(sums, sizes)


def fit(programs: Sequence[RecordedProgram], hand: Weights, pull: float) -> dict[str, FaultWeights]:
    """The weights that were fitted; those of clues that no program shows stay as they are given by hand."""
    used = sorted({(fault, clue) for program in programs for fault in program.clues for clue in program.clues[fault]})
    start = np.array([hand[fault].clues[clue] for fault, clue in used])
    problem = _Problem(used, start)
    for program in programs:
        problem.add(program, hand)
    bounds = [(_LEAST_LEFT * value, None) if value > 0 else (None, _LEAST_LEFT * value) for value in start]
    found = minimize(problem.objective(pull), start, jac=True, bounds=bounds, method="L-BFGS-B").x
    fitted = {name: round(float(value), 2) for name, value in zip(used, found, strict=True)}
    return {
        fault: FaultWeights({clue: fitted.get((fault, clue), value) for clue, value in weights.clues.items()})
        for fault, weights in hand.items()
    }
