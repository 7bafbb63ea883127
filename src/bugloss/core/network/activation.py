"""Activations: which numbers come out, and where they belong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from bugloss.core.network.table import NetworkTable


class Gives(Enum):
    """What the outputs of an activation can be read as."""

    SCORES = "scores"  # any number
    PROBABILITY = "an independent probability for each output"
    DISTRIBUTION = "one distribution over the classes"
    LOG_PROBABILITY = "log-probabilities"
    POSITIVE = "non-negative values"
    BOUNDED = "values between -1 and 1"


@dataclass(frozen=True, slots=True)
class Activation:
    """One activation; ``low`` and ``high`` bound what comes out."""

    name: str
    gives: Gives = Gives.SCORES
    low: float = -math.inf
    high: float = math.inf
    names: tuple[str, ...] = ()
    in_keras: bool = True  # by its name; a layer of its own is something else
    adjustable: bool = False  # its limits are arguments
    only_last: bool = False  # it belongs behind the output layer; between two layers it is a mistake

    @property
    def is_identity(self) -> bool:
        return self.name == "linear"

    @property
    def saturates(self) -> bool:
        """Whether each output alone approaches two limits, where gradients vanish."""
        return self.gives in {Gives.PROBABILITY, Gives.BOUNDED}

    @property
    def narrows(self) -> bool:
        """Whether what comes out has lost what was read before: another activation behind it cannot give it back."""
        return self.gives not in {Gives.SCORES, Gives.POSITIVE}

    @property
    def normalizes(self) -> bool:
        """Whether the outputs of one sample are one distribution, or its logarithm."""
        return self.gives is Gives.DISTRIBUTION or self.name == "log_softmax"


LINEAR = Activation("linear", names=("identity", "none"))

ACTIVATIONS: NetworkTable[Activation] = NetworkTable(
    LINEAR,
    Activation("relu", Gives.POSITIVE, low=0.0),
    Activation("relu6", Gives.POSITIVE, low=0.0, high=6.0),
    Activation("leaky_relu"),
    Activation("prelu", in_keras=False),
    Activation("rrelu", in_keras=False),
    Activation("elu", low=-1.0),
    Activation("selu", low=-1.7581),
    Activation("celu", low=-1.0),
    Activation("gelu", low=-0.17),
    Activation("silu", low=-0.2785, names=("swish",)),
    Activation("mish", low=-0.3089),
    Activation("hard_swish", low=-0.375, names=("hard_silu",)),
    Activation("softplus", Gives.POSITIVE, low=0.0),
    Activation("exponential", Gives.POSITIVE, low=0.0, names=("exp",), only_last=True),
    Activation("sigmoid", Gives.PROBABILITY, 0.0, 1.0),
    Activation("hard_sigmoid", Gives.PROBABILITY, 0.0, 1.0),
    Activation("tanh", Gives.BOUNDED, -1.0, 1.0),
    Activation("hard_tanh", Gives.BOUNDED, -1.0, 1.0, adjustable=True),
    Activation("softsign", Gives.BOUNDED, -1.0, 1.0),
    Activation("softmax", Gives.DISTRIBUTION, 0.0, 1.0, names=("Softmax2d",), only_last=True),
    Activation("log_softmax", Gives.LOG_PROBABILITY, high=0.0),
    Activation("log_sigmoid", Gives.LOG_PROBABILITY, high=0.0),
)


def activation(name: str) -> Activation | None:
    """The activation with that name in any spelling."""
    return ACTIVATIONS.find(name)


def saturates(name: str) -> bool:
    """Whether a name is that of a saturating activation."""
    known = activation(name)
    return known is not None and known.saturates


def range_of(name: str) -> tuple[float, float] | None:
    """The limits of an activation, where no argument of it can move them."""
    known = activation(name)
    fixed = known is not None and known.gives is not Gives.SCORES and not known.adjustable
    return (known.low, known.high) if known is not None and fixed else None
