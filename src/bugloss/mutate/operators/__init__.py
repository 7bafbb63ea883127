"""The mutation operators, by the part of a training that they damage."""

from __future__ import annotations

from bugloss.mutate.contract import MutationOperator
from bugloss.mutate.operators import (
    activations,
    hyperparameters,
    losses,
    optimizers,
    regularization,
    training_data,
    validation,
    weights,
)

OPERATORS: tuple[MutationOperator, ...] = (
    *training_data.OPERATORS,
    *hyperparameters.OPERATORS,
    *activations.OPERATORS,
    *regularization.OPERATORS,
    *weights.OPERATORS,
    *losses.OPERATORS,
    *optimizers.OPERATORS,
    *validation.OPERATORS,
)
